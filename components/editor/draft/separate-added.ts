import { traitsIn } from "#components/canvas/flow-graph.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import { edgeIdOf, type FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { type Merge, mergeDrafts, type Side } from "#lib/engine/changes/merge-drafts.ts";
import { handleOf } from "#lib/engine/graph.ts";
import type { Renames } from "#lib/expressions/expressions.ts";
import { allPlaced } from "../levels/level.ts";
import { canvasOf, renameBodies, withCanvas } from "./canvas-settings.ts";
import { idsWithin, newId, takenIds, withNewIds } from "./node-ids.ts";

/**
 * New ids for nodes of `mine` if both sides added a node with the same id, as when two people add a node of the
 * same type: these are two nodes, not one that both changed. No draft of `history` has
 * them either.
 */
export function sharedIds(
  base: FlowDraft,
  mine: FlowDraft,
  theirs: FlowDraft,
  types: readonly NodeType[],
  history: () => readonly FlowDraft[] = () => [],
): ReadonlyMap<string, string> {
  const old = takenIds(base.nodes, types);
  const others = takenIds(theirs.nodes, types);
  const twins = placesOf(theirs, types);
  const renames = new Map<string, string>();
  let taken: Set<string> | undefined;
  for (const [shared, own] of placesOf(mine, types)) {
    if (old.has(shared) || !others.has(shared) || isDeepEqual(own, twins.get(shared))) continue;
    taken ??= new Set([...old, ...others, ...[mine, ...history()].flatMap(({ nodes }) => idsWithin(nodes, types))]);
    const id = newId(shared, taken);
    taken.add(id);
    renames.set(shared, id);
  }
  return renames;
}

/** The nodes of all levels, each with the loop around it. */
function placesOf({ nodes }: FlowDraft, types: readonly NodeType[]) {
  return new Map(allPlaced(nodes, types).map(({ node, within }) => [node.id, { node, loop: within.at(-1)?.id }]));
}

/** Renames nodes everywhere: in edges, expressions, groups and pinned outputs. */
export function renameNodes(draft: FlowDraft, renames: Renames, types: readonly NodeType[]): FlowDraft {
  if (renames.size === 0 || !idsWithin(draft.nodes, types).some((id) => renames.has(id))) return draft;
  const to = (id: string) => renames.get(id) ?? id;
  const nodes = draft.nodes.map((node) => withNewIds(node, renames, types));
  const edges = draft.edges.map((edge) => {
    if (!renames.has(edge.source) && !renames.has(edge.target)) return edge;
    const [source, target] = [to(edge.source), to(edge.target)];
    return { ...edge, source, target, id: edgeIdOf(source, handleOf(edge), target) };
  });
  const { groups, pins, bodies } = canvasOf(draft);
  const renamed = { ...draft, nodes, edges };
  if (groups.length + Object.keys(pins).length + Object.keys(bodies).length === 0) return renamed;
  return withCanvas(renamed, {
    bodies: renameBodies(bodies, to),
    groups: groups.map((group) => ({ ...group, nodeIds: group.nodeIds.map(to) })),
    pins: Object.fromEntries(Object.entries(pins).map(([id, output]) => [to(id), output])),
  });
}

/** Merges two sides' changes to a flow; nodes that both added under one id become two. */
export function joinDrafts(
  base: FlowDraft,
  mine: FlowDraft,
  theirs: FlowDraft,
  types: readonly NodeType[],
  prefer: (key: string) => Side = () => "mine",
  renames: Renames = sharedIds(base, mine, theirs, types),
): Merge {
  const hasBody = (type: string) => traitsIn(types)(type)?.hasBody === true;
  const own = renameNodes(mine, renames, types);
  return mergeDrafts(base, own, theirs, hasBody, prefer);
}
