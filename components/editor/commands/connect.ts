import { cardSize } from "#components/canvas/flow-graph.ts";
import { freePlace, triggerPlace } from "#components/editor/draft/place-draft.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { type Command, type DraftEdge, edgeIdOf, type FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { type FlowEdge, type FlowNode, triggerSource } from "#lib/engine/flow.ts";
import { findGraphProblems, handleOf } from "#lib/engine/graph.ts";
import type { NodeTypes } from "#lib/engine/node-types.ts";
import { nodesBefore } from "../draft/nodes-before.ts";
import type { Place } from "./move.ts";

/** A connection to be made. `handle`: the source's handle; null for the plain one. */
export interface WantedEdge {
  readonly source: string;
  readonly handle: string | null;
  readonly target: string;
}

/** Why two nodes cannot be connected, in words; null if they can. `except`: an edge that is about to be replaced. */
export function refuseEdge(draft: FlowDraft, newEdge: WantedEdge, types: NodeTypes, except?: string): string | null {
  const { nodes } = draft;
  const name = (id: string) => nameOf(nodes, id);
  if (newEdge.target === triggerSource) return "Nothing can connect to the trigger: runs start there.";
  if (newEdge.source === newEdge.target) return `“${name(newEdge.source)}” cannot connect to itself.`;
  const others = draft.edges.filter((edge) => edge.id !== except);
  if (others.some((edge) => isSame(edge, newEdge))) return "These nodes are already connected.";
  const problems = findGraphProblems(nodes, [...others, asEdge(newEdge)], types);
  const own = problems.find((problem) => problem.path.startsWith(`edges[${others.length}]`));
  if (own?.message.includes("cycle") !== true) return own?.message ?? null;
  const cycle = own.message.replace(/^.*: /, "").split(" → ");
  return `That would create a cycle: ${cycle.map(name).join(" → ")}. To repeat something, use a loop node.`;
}

/** The nodes that an edge may lead to: like `refuseEdge` for each, but in one pass over the flow. */
export function targetsOf(draft: FlowDraft, from: Omit<WantedEdge, "target">): FlowNode[] {
  const before = new Set([from.source, ...nodesBefore(draft, from.source)]);
  const reached = new Set(
    draft.edges.flatMap((edge) => (isSame(edge, { ...from, target: edge.target }) ? edge.target : [])),
  );
  return draft.nodes.filter(({ id }) => !before.has(id) && !reached.has(id));
}

/** Connects two nodes. Check with `refuseEdge` first. */
export function connect(newEdge: WantedEdge): Command {
  return (draft) => {
    if (draft.edges.some((edge) => isSame(edge, newEdge))) return draft;
    return { ...draft, edges: [...draft.edges, freshEdge(newEdge, draft.edges)] };
  };
}

/** Reconnects an edge to other ends, keeping its position in the list of edges. */
export function reconnect(edgeId: string, newEdge: WantedEdge): Command {
  return (draft) => {
    const others = draft.edges.filter((edge) => edge.id !== edgeId);
    const moved = freshEdge(newEdge, others);
    return { ...draft, edges: draft.edges.map((edge) => (edge.id === edgeId ? moved : edge)) };
  };
}

export function freshEdge(newEdge: WantedEdge, others: readonly DraftEdge[]): DraftEdge {
  const taken = new Set(others.map((edge) => edge.id));
  const stem = edgeIdOf(newEdge.source, newEdge.handle, newEdge.target);
  let id = stem;
  for (let count = 2; taken.has(id); count += 1) id = `${stem} ${count}`;
  return { ...asEdge(newEdge), id };
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

/** The edge implied by the trigger, which leads to every node without an incoming edge. */
export interface ImpliedEdge {
  readonly source: string;
  readonly target: string;
}

/**
 * Inserts a node into an edge: the edge leads to the node, and the node's `handle` to the edge's former target.
 * The node may be new or already in the flow.
 */
export function insertOnEdge(node: FlowNode, edge: string | ImpliedEdge, handle: string | null): Command {
  return (draft) => {
    const isThere = draft.nodes.some((other) => other.id === node.id);
    const nodes = isThere ? draft.nodes : [...draft.nodes, node];
    if (typeof edge !== "string") {
      return {
        ...draft,
        nodes,
        edges: [...draft.edges, freshEdge({ source: node.id, handle, target: edge.target }, draft.edges)],
      };
    }
    const found = draft.edges.find((other) => other.id === edge);
    if (found === undefined) return { ...draft, nodes };
    const others = draft.edges.filter((other) => other !== found);
    const first = freshEdge({ source: found.source, handle: handleOf(found), target: node.id }, others);
    const second = freshEdge({ source: node.id, handle, target: found.target }, [...others, first]);
    return { ...draft, nodes, edges: draft.edges.flatMap((other) => (other === found ? [first, second] : [other])) };
  };
}

/** The gap between a card and the next one to its right. */
const gap = 88;
/** The minimum gap where somebody has placed them closer. */
const gapMin = 40;

/** The position of a new card on a wire: where it was dropped if there is room, else beside the first. */
export function placeBetween(
  draft: FlowDraft,
  { source, target }: ImpliedEdge,
  place: Place,
  types: readonly NodeType[],
): Place {
  const from = placeOf(draft, source);
  const to = placeOf(draft, target);
  const [least, most] = [from.x + cardSize.width + gapMin, to.x - cardSize.width - gapMin];
  if (least > most) return { x: from.x + cardSize.width + gap, y: to.y };
  return freePlace(draft, { x: Math.max(least, Math.min(most, place.x)), y: place.y }, types);
}

/** New positions for the cards from `target` on, moved right just enough not to overlap a card at `at`. */
export function roomBefore(draft: FlowDraft, target: string, at: Place): Map<string, Place> {
  const to = placeOf(draft, target);
  const missing = at.x + cardSize.width + gap - to.x;
  if (missing <= gap - gapMin) return new Map();
  const following = new Set([target]);
  for (const id of following) {
    for (const edge of draft.edges) if (edge.source === id) following.add(edge.target);
  }
  const moved = draft.nodes.filter((node) => following.has(node.id) && node.position.x >= to.x);
  return new Map(moved.map(({ id, position: { x, y } }) => [id, { x: x + missing, y }]));
}

function placeOf(draft: FlowDraft, id: string): Place {
  if (id === triggerSource) return triggerPlace(draft);
  return draft.nodes.find((node) => node.id === id)?.position ?? { x: 0, y: 0 };
}
