import { type FlowEdge, type FlowNode, triggerSource } from "#lib/engine/flow.ts";
import { findGraphProblems, handleOf, type NodeTypes } from "#lib/engine/graph.ts";
import type { Command, DraftEdge, FlowDraft } from "../draft/flow-draft.ts";
import { edgeIdOf } from "../draft/open-draft.ts";

/** Two ends that somebody wants to join. `handle`: what the source leaves by; null for the plain handle. */
export interface WantedEdge {
  readonly source: string;
  readonly handle: string | null;
  readonly target: string;
}

/** Why two nodes may not be joined, in words for people; null when they may. `except`: an edge about to be replaced. */
export function refuseEdge(draft: FlowDraft, wanted: WantedEdge, types: NodeTypes, except?: string): string | null {
  const { nodes } = draft;
  const name = (id: string) => nameOf(nodes, id);
  if (wanted.target === triggerSource) return "Nothing can lead to the trigger: it is where a run begins.";
  if (wanted.source === wanted.target) return `“${name(wanted.source)}” cannot lead to itself.`;
  const others = draft.edges.filter((edge) => edge.id !== except);
  if (others.some((edge) => isSame(edge, wanted))) return "These two are connected already.";
  const problems = findGraphProblems(nodes, [...others, asEdge(wanted)], types);
  const own = problems.find((problem) => problem.path.startsWith(`edges[${others.length}]`));
  if (own?.message.includes("cycle") !== true) return own?.message ?? null;
  const circle = own.message.replace(/^.*: /, "").split(" → ");
  return `That would make a circle: ${circle.map(name).join(" → ")}. To repeat something, use a loop node.`;
}

/** Joins two nodes. Whether they may be joined is asked of `refuseEdge` first. */
export function connect(wanted: WantedEdge): Command {
  return (draft) => {
    if (draft.edges.some((edge) => isSame(edge, wanted))) return draft;
    return { ...draft, edges: [...draft.edges, freshEdge(wanted, draft.edges)] };
  };
}

/** Moves an edge to other ends, keeping its place in the list of edges. */
export function reconnect(edgeId: string, wanted: WantedEdge): Command {
  return (draft) => {
    const others = draft.edges.filter((edge) => edge.id !== edgeId);
    const moved = freshEdge(wanted, others);
    return { ...draft, edges: draft.edges.map((edge) => (edge.id === edgeId ? moved : edge)) };
  };
}

export function freshEdge(wanted: WantedEdge, others: readonly DraftEdge[]): DraftEdge {
  const taken = new Set(others.map((edge) => edge.id));
  const stem = edgeIdOf(wanted.source, wanted.handle, wanted.target);
  let id = stem;
  for (let count = 2; taken.has(id); count += 1) id = `${stem} ${count}`;
  return { ...asEdge(wanted), id };
}

export function nameOf(nodes: readonly FlowNode[], id: string): string {
  if (id === triggerSource) return "Trigger";
  return nodes.find((node) => node.id === id)?.name || id;
}

function asEdge({ source, handle, target }: WantedEdge): FlowEdge {
  return handle === null ? { source, target } : { source, target, sourceHandle: handle };
}

function isSame(edge: DraftEdge, { source, handle, target }: WantedEdge): boolean {
  return edge.source === source && edge.target === target && handleOf(edge) === handle;
}
