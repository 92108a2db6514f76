import { cardSize } from "#components/canvas/flow-graph.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { Command, FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { handleOf } from "#lib/engine/graph.ts";
import type { NodeTypes } from "#lib/engine/node-types.ts";
import { type CanvasGroup, type CanvasNote, canvasOf, withCanvas } from "../draft/canvas-settings.ts";
import { levelAt, withLevel } from "../levels/level.ts";
import { connect, freshEdge, nameOf, refuseEdge, type WantedEdge } from "./connect.ts";
import type { Place } from "./move.ts";
import { withFreshIds } from "./paste.ts";
import { remove, withMembers } from "./remove.ts";

/** Nodes moving to another level, with the edges between them. They keep their ids, which are unique in the flow. */
interface Moved extends Pick<FlowDraft, "nodes" | "edges"> {
  readonly notes: readonly CanvasNote[];
  readonly groups: readonly CanvasGroup[];
}

const gap = 88;

/**
 * Moves nodes of the level at `within` into the body of a loop beside them. Their sources are connected to their
 * targets. In the body, they are placed below the existing nodes and keep only the edges among themselves.
 */
export function moveInto(
  within: readonly string[],
  selected: ReadonlySet<string>,
  loopId: string,
  types: readonly NodeType[],
): Command {
  return (draft) => {
    const level = levelAt(draft, within, types);
    const ids = new Set([...withMembers(level, selected)].filter((id) => id !== loopId));
    const moved = takeOut(level, ids);
    const inner = [...within, loopId];
    const left = withLevel(draft, within, removeJoining(level, ids), types);
    const body = levelAt(left, inner, types);
    return withLevel(left, inner, putIn(body, moved, endOf(body)), types);
  };
}

/** Moves nodes out of the body of the last loop of `within`: they run after the loop and keep the edges among themselves. */
export function moveOut(within: readonly string[], selected: ReadonlySet<string>, types: readonly NodeType[]): Command {
  return (draft) => {
    const loopId = within.at(-1);
    if (loopId === undefined) return draft;
    const body = levelAt(draft, within, types);
    const ids = withMembers(body, selected);
    const moved = takeOut(body, ids);
    const outer = within.slice(0, -1);
    const left = withLevel(draft, within, removeJoining(body, ids), types);
    const around = levelAt(left, outer, types);
    const loop = around.nodes.find((node) => node.id === loopId)?.position ?? { x: 0, y: 0 };
    const put = putIn(around, moved, { x: loop.x + cardSize.width + gap, y: loop.y + 2 * cardSize.head });
    const reached = new Set(moved.edges.map((edge) => edge.target));
    const starts = moved.nodes.filter((node) => !reached.has(node.id));
    const wired = starts.reduce((flow, { id }) => connect({ source: loopId, handle: null, target: id })(flow), put);
    return withLevel(left, outer, wired, types);
  };
}

/**
 * Why nodes cannot move into a loop beside them, in words; null if they can. A node between two moving nodes would be
 * cut off from both, and the sources of moving nodes must be able to lead on.
 */
export function refuseMoveInto(level: FlowDraft, selected: ReadonlySet<string>, loopId: string, types: NodeTypes) {
  const ids = new Set([...withMembers(level, selected)].filter((id) => id !== loopId));
  return refuseGap(level, ids) ?? refuseJoins(level, ids, types);
}

/** The same for moving out of a loop: `body` is the level they leave, `level` the one where they follow the loop. */
export function refuseMoveOut(
  body: FlowDraft,
  level: FlowDraft,
  selected: ReadonlySet<string>,
  loopId: string,
  types: NodeTypes,
): string | null {
  const ids = withMembers(body, selected);
  const refused = refuseGap(body, ids) ?? refuseJoins(body, ids, types);
  if (refused !== null) return refused;
  const { nodes, edges } = takeOut(body, ids);
  const reached = new Set(edges.map((edge) => edge.target));
  const put = { ...level, nodes: [...level.nodes, ...nodes], edges: [...level.edges, ...edges] };
  return firstRefusal(
    put,
    nodes.filter((node) => !reached.has(node.id)).map(({ id }) => ({ source: loopId, handle: null, target: id })),
    types,
  );
}

function refuseGap({ nodes, edges }: FlowDraft, ids: ReadonlySet<string>): string | null {
  const leading = (from: "source" | "target", to: "source" | "target") => {
    const found = new Set(ids);
    for (const id of found) for (const edge of edges) if (edge[from] === id) found.add(edge[to]);
    return found;
  };
  const [after, before] = [leading("source", "target"), leading("target", "source")];
  const between = nodes.find(({ id }) => !ids.has(id) && after.has(id) && before.has(id));
  if (between === undefined) return null;
  return `“${nameOf(nodes, between.id)}” runs between the selected nodes. Select it too, or move them one by one.`;
}

function refuseJoins(level: FlowDraft, ids: ReadonlySet<string>, types: NodeTypes): string | null {
  const left = remove({ nodes: ids, edges: new Set() })(level);
  return firstRefusal(left, joinsAround(level, ids), types);
}

function firstRefusal(flow: FlowDraft, edges: readonly WantedEdge[], types: NodeTypes): string | null {
  let joined = flow;
  for (const edge of edges) {
    const isThere = connect(edge)(joined) === joined;
    const refused = isThere ? null : refuseEdge(joined, edge, types);
    if (refused !== null) return refused;
    joined = connect(edge)(joined);
  }
  return null;
}

function takeOut(level: FlowDraft, ids: ReadonlySet<string>): Moved {
  const { notes, groups } = canvasOf(level);
  return {
    nodes: level.nodes.filter((node) => ids.has(node.id)),
    edges: level.edges.filter((edge) => ids.has(edge.source) && ids.has(edge.target)),
    notes: notes.filter((note) => ids.has(note.id)),
    groups: groups.filter((group) => group.nodeIds.every((id) => ids.has(id))),
  };
}

/** Removes nodes, and connects each one's sources with the remaining nodes that were reachable only through it. */
function removeJoining(level: FlowDraft, ids: ReadonlySet<string>): FlowDraft {
  const left = remove({ nodes: ids, edges: new Set() })(level);
  return joinsAround(level, ids).reduce((flow, edge) => connect(edge)(flow), left);
}

function joinsAround(level: FlowDraft, ids: ReadonlySet<string>): WantedEdge[] {
  const incoming = level.edges.filter((edge) => !ids.has(edge.source) && ids.has(edge.target));
  return incoming.flatMap((edge) =>
    reachedThrough(level, ids, edge.target)
      .filter((target) => target !== edge.source)
      .map((target) => ({ source: edge.source, handle: handleOf(edge), target })),
  );
}

/** The nodes not in `ids` that are reachable from one of these only through them. */
function reachedThrough(level: FlowDraft, ids: ReadonlySet<string>, from: string): string[] {
  const reached = new Set([from]);
  for (const id of reached) {
    if (!ids.has(id)) continue;
    for (const edge of level.edges) if (edge.source === id) reached.add(edge.target);
  }
  return [...reached].filter((id) => !ids.has(id));
}

/**
 * The position of nodes without a source: below everything. Beside it, the wire that starts them would pass behind the
 * cards and seem to come from them.
 */
function endOf({ nodes }: FlowDraft): Place {
  if (nodes.length === 0) return { x: 0, y: 0 };
  const bottom = Math.max(...nodes.map((node) => node.position.y));
  return { x: Math.min(...nodes.map((node) => node.position.x)), y: bottom + 3 * cardSize.head };
}

/** Puts nodes on a level, with their upper left corner at `at`. */
function putIn(level: FlowDraft, { nodes, edges, notes, groups }: Moved, at: Place): FlowDraft {
  const places = [...nodes.map((node) => node.position), ...notes];
  const left = Math.min(...places.map(({ x }) => x));
  const top = Math.min(...places.map(({ y }) => y));
  const there = ({ x, y }: Place) => ({ x: at.x + x - left, y: at.y + y - top });
  const all = [...level.edges];
  for (const { source, target, ...edge } of edges) {
    all.push(freshEdge({ source, target, handle: handleOf({ source, target, ...edge }) }, all));
  }
  const moved = nodes.map((node) => ({ ...node, position: there(node.position) }));
  const joined = { ...level, nodes: [...level.nodes, ...moved], edges: all };
  if (notes.length + groups.length === 0) return joined;
  const canvas = canvasOf(level);
  return withCanvas(joined, {
    notes: [...canvas.notes, ...withFreshIds(notes, canvas.notes).map((note) => ({ ...note, ...there(note) }))],
    groups: [...canvas.groups, ...withFreshIds(groups, canvas.groups)],
  });
}
