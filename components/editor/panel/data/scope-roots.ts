import type { ScopeRoot } from "#components/form/expression-scope.ts";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";

interface OutputSources {
  /** Nodes whose outputs are loaded. */
  readonly loaded: Iterable<ShownNodeExecution>;
  /** All nodes of the shown run and item. */
  readonly recorded: readonly ShownNodeExecution[];
  readonly pins: Readonly<Record<string, unknown>>;
}

export interface KnownOutputs {
  /** By node; a failed node has `{error: {message, code}}`. */
  readonly outputs: Map<string, unknown>;
  /** Nodes that have an output in the run, loaded or not. */
  readonly made: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

/** The outputs that expressions can read; a pinned one replaces the run's. */
export function knownOutputs({ loaded, recorded, pins }: OutputSources): KnownOutputs {
  const outputs = new Map<string, unknown>([...loaded].map((node) => [node.nodeId, node.output]));
  for (const [nodeId, output] of Object.entries(pins)) outputs.set(nodeId, output);
  const made = new Set(Object.keys(pins));
  const failed = new Set<string>();
  for (const node of recorded) {
    if (node.status === "completed") made.add(node.nodeId);
    if (node.status !== "failed" || made.has(node.nodeId)) continue;
    made.add(node.nodeId);
    failed.add(node.nodeId);
    outputs.set(node.nodeId, outputOfFailed(node));
  }
  return { outputs, made, failed };
}

/** What expressions read from a failed node, as in a run. */
function outputOfFailed({ error }: ShownNodeExecution): unknown {
  const { message = null, code = null } = isJsonObject(error) ? error : {};
  return { error: { message, code } };
}

export function triggerOf(run: ShownExecution | null) {
  return { body: run?.trigger.data ?? {}, headers: {}, query: {}, method: "POST" };
}

interface RootSources {
  readonly flowId: string;
  readonly draft: FlowDraft;
  readonly run: ShownExecution | null;
  /** The node before this one, and all that run before it. */
  readonly before: string;
  readonly ancestors: readonly string[];
  readonly names: ReadonlyMap<string, string>;
  readonly outputOf: (nodeId: string) => unknown;
  readonly credentials: readonly { readonly name: string }[];
  /** The loop's item, in its body. */
  readonly item: { readonly value: unknown; readonly index: number } | undefined;
}

/** The names that a node's expressions can use, with their values. */
export function scopeRoots(sources: RootSources): ScopeRoot[] {
  const { flowId, draft, run, before, ancestors, names, outputOf, credentials, item } = sources;
  const trigger = triggerOf(run);
  const node = {
    id: before,
    name: names.get(before) ?? "Trigger",
    output: before === triggerSource ? trigger.body : outputOf(before),
  };
  const nodes = Object.fromEntries(ancestors.map((nodeId) => [nodeId, { output: outputOf(nodeId) }]));
  const hidden = Object.fromEntries(credentials.map(({ name }) => [name, "•••"]));
  const execution = { id: run?.id ?? "exec_…", startedAt: run?.startedAt ?? "" };
  const file = { text: "text", json: "value", base64: "text" };
  return [
    { name: "$trigger", description: "What started the run: body, headers, query, method", value: trigger },
    { name: "$node", description: "The node before this one", value: node },
    { name: "$nodes", description: "Every node that runs before this one, by its id", value: nodes },
    { name: "$vars", description: "The flow's variables", value: draft.variables },
    { name: "$credentials", description: "Stored credentials, by name", value: hidden },
    { name: "$execution", description: "This run: id, startedAt", value: execution },
    { name: "$file", description: "Reads a file: text(ref), json(ref), base64(ref)", value: file },
    { name: "$flow", description: "This flow: id, name", value: { id: flowId, name: draft.name } },
    { name: "$switch", description: "The nearest switch above: value, case", value: undefined },
    { name: "$item", description: "The loop's current item", value: item?.value },
    { name: "$index", description: "Its index, from 0", value: item?.index },
  ];
}
