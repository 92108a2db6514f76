import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import { edgeIdOf } from "#lib/engine/changes/flow-draft.ts";
import { mapSides, type Sides } from "#lib/engine/changes/merge-sides.ts";
import { byTarget, orderEdges } from "./edge-order.ts";
import type { FlowConflict } from "./merge-flows.ts";

export interface OrderedEdge {
  readonly id?: string | undefined;
  readonly source: string;
  readonly target: string;
  readonly sourceHandle?: string | null | undefined;
}

/** What identifies an edge: its id, or the parts that an id would be derived from. */
export function keyOf({ id, source, sourceHandle, target }: OrderedEdge): string {
  return id || edgeIdOf(source, sourceHandle || null, target);
}

/**
 * Keys in the order of the side that changed it; null if both changed it differently. A key that only one side has
 * follows its predecessor there.
 */
export function mergeOrder(merged: readonly string[], sides: Sides<readonly string[]>): readonly string[] | null {
  const [old, own, other] = [sides.old, sides.own, sides.other].map((keys) => new Set(keys));
  const isCommon = (key: string) => [old, own, other].every((keys) => keys?.has(key));
  const common = mapSides(sides, (keys) => keys.filter(isCommon));
  if (isDeepEqual(common.other, common.old) || isDeepEqual(common.other, common.own)) return merged;
  if (!isDeepEqual(common.own, common.old)) return null;
  const mergedKeys = new Set(merged);
  const ordered = sides.other.filter((key) => mergedKeys.has(key));
  let after = -1;
  for (const key of merged) {
    const at = ordered.indexOf(key);
    if (at !== -1) after = at;
    else {
      after += 1;
      ordered.splice(after, 0, key);
    }
  }
  return ordered;
}

/**
 * Orders merged edges: those out of a node and into a node follow the side that changed their order. Runs depend on
 * both.
 */
export function orderMerged<Edge extends OrderedEdge>(
  merged: readonly Edge[],
  sides: Sides<readonly OrderedEdge[]>,
  conflicts: FlowConflict[],
): readonly Edge[] {
  const settle = (end: "source" | "target") => {
    const mine = Map.groupBy(merged, (edge) => edge[end]);
    const theirs = mapSides(sides, (edges) => Map.groupBy(edges, (edge) => edge[end]));
    return new Map(
      [...mine].map(([id, edges]): [string, Edge[]] => {
        const orders = mapSides(theirs, (all) => (all.get(id) ?? []).map(keyOf));
        const byKey = new Map(edges.map((edge) => [keyOf(edge), edge]));
        const order = byKey.size === edges.length ? mergeOrder([...byKey.keys()], orders) : [];
        if (order === null) {
          const label = `The order of edges ${end === "source" ? "from" : "to"} ${id}`;
          conflicts.push({ path: "edges", what: label, base: orders.old, ours: orders.own, theirs: orders.other });
        }
        if (order === null || order.length === 0) return [id, edges];
        return [id, order.flatMap((key) => byKey.get(key) ?? [])];
      }),
    );
  };
  const [leaving, coming] = [settle("source"), settle("target")];
  const own = byTarget(merged);
  const isAsItIs = [...coming].every(([id, edges]) => edges.every((edge, index) => own.get(id)?.[index] === edge));
  const bySource = Map.groupBy(merged, ({ source }) => source);
  const isLeft = [...leaving].every(([id, edges]) => edges.every((edge, index) => bySource.get(id)?.[index] === edge));
  if (isAsItIs && isLeft) return merged;
  const ordered = orderEdges(leaving, coming);
  if (ordered !== null) return ordered;
  const edgeKeys = mapSides(sides, (edges) => edges.map(keyOf));
  conflicts.push({
    path: "edges",
    what: "The order of edges",
    base: edgeKeys.old,
    ours: edgeKeys.own,
    theirs: edgeKeys.other,
  });
  return merged;
}
