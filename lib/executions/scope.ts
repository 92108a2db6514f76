import { ancestorsOf } from "#lib/engine/compile.ts";
import type { Expression } from "#lib/engine/expression.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { type JsonText, jsonText, visibleOutput } from "#lib/engine/outcome.ts";
import { type Frame, type Step, stepId } from "#lib/engine/step.ts";
import { resumeUrl } from "./resume-token.ts";
import type { Run } from "./run.ts";

/** What a node's expressions may see, made only as far as they ask for it. */
export interface Scope {
  /** The workspace whose data this is. */
  readonly owner: string;
  /** The output of the node before; at the start `$trigger.body`, in a loop's body the item. */
  readonly input: JsonText;
  /** The outputs of all nodes that led here, in the order of the edges. */
  inputs(): { readonly nodeId: string; readonly output: unknown }[];
  /** Whether there is such a name at all. */
  has(name: string): boolean;
  /** A name's value on the server, for plain member paths. */
  value(name: string, expression: Expression): unknown;
  /** JSON text of every name that these expressions mention. */
  json(expressions: readonly Expression[]): Record<string, string>;
}

/** The values of the credentials that expressions read, by name: strings or objects of strings. */
export type CredentialValues = Readonly<Record<string, unknown>>;

export function scopeOf(run: Run, step: Step, credentials: CredentialValues): Scope {
  const { iteration } = step.frame;
  const before = nodeBefore(run, step);
  const input = before.output;
  const ancestors = () => ancestorsWithin(step);
  const outputOf = (id: string) => outputWithin(step.frame, id);

  const nodeIds = (expressions: readonly Expression[]): string[] => {
    const own = ancestors();
    if (expressions.some((expression) => expression.nodeIds === null)) return own;
    const wanted = new Set(expressions.flatMap((expression) => expression.nodeIds ?? []));
    return own.filter((id) => wanted.has(id));
  };
  const nodesJson = (expressions: readonly Expression[]): string => {
    const parts = nodeIds(expressions).map((id) => {
      const output = outputOf(id);
      return `${JSON.stringify(id)}:${output === undefined ? "{}" : `{"output":${output.json}}`}`;
    });
    return `{${parts.join(",")}}`;
  };
  const nodesValue = (expression: Expression): Record<string, unknown> => {
    const parts = nodeIds([expression]).map((id): [string, unknown] => {
      const output = outputOf(id);
      return [id, output === undefined ? {} : { output: output.value }];
    });
    return Object.fromEntries(parts);
  };
  const nearestSwitch = (): unknown => {
    const isSwitch = (id: string) => frameOf(step.frame, id)?.graph.byId.get(id)?.node.type === "switch";
    const found = ancestors().find((id) => isSwitch(id) && outputOf(id) !== undefined);
    return found === undefined ? undefined : outputOf(found)?.value;
  };

  const values: Record<string, (expression: Expression) => unknown> = {
    $trigger: () => run.trigger,
    $vars: () => run.version.variables.value,
    $execution: () => ({ id: run.id, startedAt: run.startedAt }),
    $flow: () => ({ id: run.flowId, name: run.flowName }),
    $node: () => ({ id: before.id, name: before.name, output: input.value }),
    $nodes: nodesValue,
    $switch: nearestSwitch,
    $credentials: () => credentials,
    $resume: () => resumeUrls(run, step.frame),
    ...(iteration === null ? {} : { $item: () => iteration.item.value, $index: () => iteration.index }),
  };
  const texts: Record<string, (expressions: readonly Expression[]) => string> = {
    $trigger: () => run.triggerJson,
    $vars: () => run.version.variables.json,
    $nodes: nodesJson,
  };
  return {
    owner: run.workspaceId,
    input,
    inputs: () => {
      const sources = step.taken.map(({ source }) => source).filter((source) => source !== triggerSource);
      return [...new Set(sources)].map((nodeId) => ({ nodeId, output: outputOf(nodeId)?.value ?? null }));
    },
    has: (name) => Object.hasOwn(values, name),
    value: (name, expression) => values[name]?.(expression),
    json: (expressions) => {
      const names = new Set(expressions.flatMap((expression) => expression.names));
      const known = [...names].filter((name) => Object.hasOwn(values, name));
      const first = expressions[0] as Expression;
      return Object.fromEntries(
        known.map((name) => [name, texts[name]?.(expressions) ?? jsonText(values[name]?.(first)).json]),
      );
    },
  };
}

/** What a step was reached from: a node, the trigger, or in a loop's body the loop with its item. */
function nodeBefore(run: Run, { taken, frame }: Step): { id: string; name: string; output: JsonText } {
  const id = taken[0]?.source ?? triggerSource;
  if (id !== triggerSource) {
    return { id, name: frame.graph.byId.get(id)?.node.name ?? id, output: outputWithin(frame, id) ?? jsonText(null) };
  }
  if (frame.iteration === null) return { id, name: "Trigger", output: jsonText(run.trigger.body) };
  const { loop, item } = frame.iteration;
  return { id: loop.node.node.id, name: loop.node.node.name, output: item };
}

/** Ids of all nodes before this step, the nearest first: in a loop's body those before the loop too. */
function ancestorsWithin({ node, frame }: Step): string[] {
  const own = ancestorsOf(frame.graph, node.node.id);
  return frame.iteration === null ? own : [...own, ...ancestorsWithin(frame.iteration.loop)];
}

/** The addresses of the nodes that wait for a call, by id; of a loop's own iteration, and of what is around it. */
function resumeUrls(run: Run, { graph, iteration }: Frame): Record<string, string> {
  const waiting = graph.order.filter(({ node }) => node.type === "wait");
  const own = waiting.map(({ node }): [string, string] => [node.id, resumeUrl(run.id, stepId(node.id, iteration))]);
  return { ...(iteration === null ? {} : resumeUrls(run, iteration.loop.frame)), ...Object.fromEntries(own) };
}

function frameOf(frame: Frame, id: string): Frame | undefined {
  if (frame.graph.byId.has(id)) return frame;
  return frame.iteration === null ? undefined : frameOf(frame.iteration.loop.frame, id);
}

function outputWithin(frame: Frame, id: string): JsonText | undefined {
  const outcome = frameOf(frame, id)?.outcomes.get(id);
  return outcome === undefined ? undefined : visibleOutput(outcome);
}
