import { settleBranches } from "#lib/engine/branches.ts";
import {
  type FlowEdge,
  type FlowNode,
  type FlowSettings,
  type FlowTrigger,
  flowSettings,
  flowTrigger,
} from "#lib/engine/flow.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import type { TraitsOf } from "#lib/engine/node-types.ts";

/** An edge in the editor: always with an id and a source handle. */
export type DraftEdge = FlowEdge & { readonly id: string };

/** A flow being edited: everything that undo reverts. Immutable. */
export interface FlowDraft {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly trigger: FlowTrigger;
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly DraftEdge[];
  readonly variables: JsonObject;
  readonly settings: FlowSettings;
}

/** Takes a flow and returns the changed flow; the same object if nothing changes. */
export type Command = (draft: FlowDraft) => FlowDraft;

/** What the editor needs of a stored flow, whichever operation returned it. */
interface StoredFlow {
  readonly name: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly trigger: { readonly type: string; readonly config: unknown };
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
  readonly variables: unknown;
  readonly settings?: unknown;
}

/** Prepares a stored flow for editing: its edges get ids, and explicit handles. */
export function openDraft(flow: StoredFlow, traitsOf: TraitsOf): FlowDraft {
  const { nodes, edges, variables, settings } = flow;
  return {
    name: flow.name,
    description: flow.description ?? "",
    tags: flow.tags,
    trigger: withoutAddress(flowTrigger.parse(flow.trigger)),
    nodes,
    edges: identifyEdges(nodes, edges, traitsOf),
    variables: isJsonObject(variables) ? variables : {},
    settings: flowSettings.parse(settings ?? {}),
  };
}

/** The service generates the URL: it is returned with the flow and never sent back. */
function withoutAddress(trigger: FlowDraft["trigger"]): FlowDraft["trigger"] {
  const { url: _, ...config } = trigger.config;
  return { ...trigger, config };
}

/** Derives ids from an edge's ends, so that the same flow always gets the same ids. */
export function identifyEdges(nodes: readonly FlowNode[], edges: readonly FlowEdge[], traitsOf: TraitsOf): DraftEdge[] {
  const { handles } = settleBranches(nodes, edges, traitsOf);
  const used = new Set<string>();
  return edges.map((edge, index) => {
    const handle = handles[index] ?? null;
    const preferred = edge.id || edgeIdOf(edge.source, handle, edge.target);
    let id = preferred;
    for (let count = 2; used.has(id); count += 1) id = `${preferred} ${count}`;
    used.add(id);
    return handle === null ? { ...edge, id } : { ...edge, id, sourceHandle: handle };
  });
}

/** The edges as if every node were enabled. Edits are compared by these, because disabling a node changes no edge. */
export function identifyEnabledEdges(nodes: readonly FlowNode[], edges: readonly FlowEdge[], traitsOf: TraitsOf) {
  const enabled = nodes.map(({ disabled: _, ...node }) => node);
  return identifyEdges(enabled, edges, traitsOf);
}

export function edgeIdOf(source: string, handle: string | null, target: string): string {
  return handle === null ? `${source}→${target}` : `${source}.${handle}→${target}`;
}
