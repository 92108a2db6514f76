import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import { edgeIdOf } from "#lib/engine/changes/flow-draft.ts";
import { type Choose, mapSides, type Named, type Sides } from "#lib/engine/changes/merge-sides.ts";
import { formatPath, isJsonObject, type Json } from "#lib/engine/json.ts";
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

type Part = Json | undefined;

/** Merges field by field; if both sides changed a field differently, adds a conflict and takes ours. */
export function chooseByField(conflicts: FlowConflict[]): Choose {
  const merge = (named: Named, steps: readonly string[], { old, own, other }: Sides<Part>): Part => {
    if (isDeepEqual(own, other) || isDeepEqual(other, old)) return own;
    if (isDeepEqual(own, old)) return other;
    const isNode = named.key.startsWith("node ") && steps.length === 0;
    if (isNode && isOnlyMoved(old, own, other)) return undefined;
    // A card's position is not a change: ours is kept.
    if (named.key.startsWith("node ") && steps.length === 1 && steps[0] === "position") return own;
    const areObjects = isJsonObject(old) && isJsonObject(own) && isJsonObject(other);
    // One type's settings mean nothing for another.
    if (!areObjects || own.type !== other.type) {
      const path = formatPath([...placeOf(named.key), ...steps]);
      const label = steps.length === 0 ? named.what : `${named.what}: ${formatPath(steps)}`;
      conflicts.push({ path, what: label, base: old, ours: own, theirs: other });
      return own;
    }
    const merged = [...new Set([...Object.keys(own), ...Object.keys(other)])].map((key): [string, Part] => [
      key,
      merge(named, [...steps, key], { old: member(old, key), own: member(own, key), other: member(other, key) }),
    ]);
    return Object.fromEntries(merged.filter((entry): entry is [string, Json] => entry[1] !== undefined));
  };
  return ((named: Named, sides: Sides<Part>) => merge(named, [], sides)) as Choose;
}

/** Ignores inherited members. */
function member(object: { [key: string]: Json }, key: string): Part {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether one side removed a node, and the other at most moved it. */
function isOnlyMoved(old: Part, own: Part, other: Part): boolean {
  const left = own === undefined ? other : other === undefined ? own : undefined;
  if (!isJsonObject(left) || !isJsonObject(old)) return false;
  return isDeepEqual({ ...left, position: null }, { ...old, position: null });
}

/** The text's path for a merge's key. */
function placeOf(key: string): string[] {
  const [kind = "", ...rest] = key.split(" ");
  const name = rest.join(" ");
  if (kind === "node" || kind === "level") return ["nodes", name];
  if (kind === "edge") {
    const [level = "", ...id] = rest;
    return level === "" ? ["edges", id.join(" ")] : ["nodes", level, "body", "edges", id.join(" ")];
  }
  if (kind === "variable") return ["variables", name];
  if (kind === "setting") return ["settings", name];
  if (kind === "test") return ["tests", name];
  if (kind === "levels") return ["nodes"];
  if (kind === "canvas") return ["layout", "canvas", ...rest.filter((step) => step !== "")];
  return [key];
}
