import type { AnyNode } from "./body-parts.ts";
import { type LevelNode, type Levels, topLevel } from "./levels.ts";
import { type Choose, mapSides, type Sides } from "./merge-sides.ts";

/**
 * The level of each node: the key of its loop. `position`: on that level, if the merged position belongs to another.
 */
export type Places = ReadonlyMap<string, { readonly level: string; readonly position?: AnyNode["position"] }>;

/**
 * Puts each remaining node on the level to which it was moved. If both sides moved it, or moved loops into each other,
 * takes one side.
 */
export function settlePlaces(levels: Sides<Levels>, merged: ReadonlyMap<string, AnyNode>, choose: Choose): Places {
  const settled = new Map<string, string>();
  for (const key of merged.keys()) settled.set(key, levelOf(levels, key, choose));
  for (const [key, level] of settled) settled.set(key, nearestLevel(levels, key, level, settled));
  breakCycles(levels, settled, choose);
  limitDepth(levels, settled);
  return new Map([...settled].map(([key, level]) => [key, { level, ...positionOn(levels, key, level) }]));
}

function levelNodesOf({ old, own, other }: Sides<Levels>, key: string): Sides<LevelNode | undefined> {
  return mapSides({ old, own, other }, ({ nodes }) => nodes.get(key));
}

function levelOf(levels: Sides<Levels>, key: string, choose: Choose): string {
  const sides = levelNodesOf(levels, key);
  const { own, other } = sides;
  if (own === undefined || other === undefined) return (own ?? other)?.level ?? topLevel;
  const named = { key: `level ${key}`, what: `The level of "${own.id}"` };
  return choose(
    named,
    mapSides(sides, (side) => side?.level ?? topLevel),
  );
}

/** The level or, if its loop is gone, the nearest one left: the other side's, or the level around that loop. */
function nearestLevel(levels: Sides<Levels>, key: string, level: string, there: ReadonlyMap<string, string>): string {
  const exists = (loop: string | undefined) => loop === topLevel || (loop !== undefined && there.has(loop));
  if (exists(level)) return level;
  const { own, other } = levelNodesOf(levels, key);
  const known = [own?.level, other?.level].find(exists);
  if (known !== undefined) return known;
  let outer: string | undefined = level;
  while (outer !== undefined && !exists(outer)) {
    outer = levels.own.nodes.get(outer)?.level ?? levels.other.nodes.get(outer)?.level;
  }
  return outer ?? topLevel;
}

/** Places loops that were moved into each other as on one side. */
function breakCycles(levels: Sides<Levels>, settled: Map<string, string>, choose: Choose): void {
  const taken = new Map<string, "own" | "other">();
  for (;;) {
    const cycle = findCycle(settled);
    const [first] = cycle;
    if (first === undefined) return;
    const before = new Set(cycle.flatMap((key) => taken.get(key) ?? []));
    const [only] = before;
    const isLast = before.size > 1 || cycle.every((key) => taken.has(key));
    const side = isLast ? "own" : (only ?? sideOf(levels, cycle, choose));
    if (cycle.every((key) => taken.get(key) === "own")) settled.set(first, topLevel);
    else
      for (const key of cycle) {
        taken.set(key, side);
        const level = levels[side].nodes.get(key)?.level;
        if (level !== undefined) settled.set(key, level === topLevel || settled.has(level) ? level : topLevel);
      }
  }
}

function sideOf(levels: Sides<Levels>, cycle: readonly string[], choose: Choose): "own" | "other" {
  const ids = cycle.map((key) => `"${key}"`).join(", ");
  const loopsOf = ({ nodes }: Levels) => Object.fromEntries(cycle.map((key) => [key, nodes.get(key)?.level ?? null]));
  const own = loopsOf(levels.own);
  const sides = { old: null, own, other: loopsOf(levels.other) };
  return choose<object | null>({ key: `levels ${cycle.join(" ")}`, what: `The nesting of ${ids}` }, sides) === own
    ? "own"
    : "other";
}

/** The first nodes that contain each other in a cycle, in a fixed order; empty if there are none. */
function findCycle(settled: ReadonlyMap<string, string>): string[] {
  const safe = new Set<string>([topLevel]);
  for (const start of settled.keys()) {
    const path: string[] = [];
    let key = start;
    while (!safe.has(key)) {
      const at = path.indexOf(key);
      if (at !== -1) return path.slice(at).sort();
      path.push(key);
      key = settled.get(key) ?? topLevel;
    }
    for (const visited of path) safe.add(visited);
  }
  return [];
}

/** How deep a merge may nest loops: each adds four levels of JSON, and the API stores at most 64. */
const loopsMax = 12;

/** Two moves may be too deep only when combined: the node moved last is placed less deep. */
function limitDepth(levels: Sides<Levels>, settled: Map<string, string>): void {
  const given = [levels.own, levels.other].map(({ nodes }) => {
    return new Map([...nodes].map(([key, { level }]): [string, string] => [key, level]));
  });
  const back = new Set<string>();
  for (;;) {
    const key = [...settled.keys()].find((candidate) => {
      const depth = depthOf(candidate, settled);
      return depth > loopsMax && given.every((side) => depth > depthOf(candidate, side));
    });
    if (key === undefined) return;
    const moved = enclosing(key, settled).find((candidate) => {
      const places = new Set(given.flatMap((side) => side.get(candidate) ?? []));
      return places.size > 1 && !back.has(candidate);
    });
    const place = moved ?? key;
    const known = given
      .flatMap((side) => side.get(place) ?? [])
      .filter((parent) => parent === topLevel || settled.has(parent));
    const [shallowest = topLevel] =
      moved === undefined ? [] : known.toSorted((a, b) => depthOf(a, settled) - depthOf(b, settled));
    back.add(place);
    settled.set(place, shallowest);
  }
}

/** A node and the loops around it, from the inside out. */
function enclosing(key: string, places: ReadonlyMap<string, string>): string[] {
  const path: string[] = [];
  for (let at = key; at !== topLevel && !path.includes(at); at = places.get(at) ?? topLevel) path.push(at);
  return path;
}

const depthOf = (key: string, places: ReadonlyMap<string, string>) => enclosing(key, places).length - 1;

/**
 * A position belongs to a level. If the sides put the node on different levels, takes the position of the side whose
 * level won.
 */
function positionOn(levels: Sides<Levels>, key: string, level: string): { readonly position?: AnyNode["position"] } {
  const { own, other } = levelNodesOf(levels, key);
  if (own === undefined || other === undefined || own.level === other.level) return {};
  const position = [own, other].find((side) => side.level === level)?.node.position;
  return position === undefined ? {} : { position };
}
