import { traitsIn } from "#components/canvas/flow-graph.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
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

/** An edge as the editor knows it: always with an id, and with the handle that it leaves by. */
export type DraftEdge = FlowEdge & { readonly id: string };

/** A flow as it is being edited: everything that undo takes back. It is never changed, only replaced. */
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

/** Takes a flow and what the user chose, and gives the flow after it; the same object when nothing changes. */
export type Command = (draft: FlowDraft) => FlowDraft;

/** What the editor needs of a stored flow, whichever operation it was read by. */
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

/** A stored flow made ready for editing: its edges get ids, and the handles that plain ones stand for. */
export function openDraft(flow: StoredFlow, types: readonly NodeType[]): FlowDraft {
  const { nodes, edges, variables, settings } = flow;
  return {
    name: flow.name,
    description: flow.description ?? "",
    tags: flow.tags,
    trigger: withoutAddress(flowTrigger.parse(flow.trigger)),
    nodes,
    edges: identifyEdges(nodes, edges, types),
    variables: isJsonObject(variables) ? variables : {},
    settings: flowSettings.parse(settings ?? {}),
  };
}

/** The address is the service's: it is told with the flow, and never sent back. */
function withoutAddress(trigger: FlowDraft["trigger"]): FlowDraft["trigger"] {
  const { url: _, ...config } = trigger.config;
  return { ...trigger, config };
}

/** Ids are made of an edge's ends, so that the same flow opened twice has the same ones. */
export function identifyEdges(
  nodes: readonly FlowNode[],
  edges: readonly FlowEdge[],
  types: readonly NodeType[],
): DraftEdge[] {
  const { handles } = settleBranches(nodes, edges, traitsIn(types));
  const used = new Set<string>();
  return edges.map((edge, index) => {
    const handle = handles[index] ?? null;
    const wanted = edge.id || edgeIdOf(edge.source, handle, edge.target);
    let id = wanted;
    for (let count = 2; used.has(id); count += 1) id = `${wanted} ${count}`;
    used.add(id);
    return handle === null ? { ...edge, id } : { ...edge, id, sourceHandle: handle };
  });
}

export function edgeIdOf(source: string, handle: string | null, target: string): string {
  return handle === null ? `${source}→${target}` : `${source}.${handle}→${target}`;
}
