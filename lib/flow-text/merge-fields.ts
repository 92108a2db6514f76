import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import type { Choose, Named, Sides } from "#lib/engine/changes/merge-sides.ts";
import { formatPath, isJsonObject, type Json } from "#lib/engine/json.ts";
import type { FlowConflict } from "./merge-flows.ts";

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
