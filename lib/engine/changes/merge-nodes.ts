import { triggerSource } from "#lib/engine/flow.ts";
import type { AnyNode } from "./body-parts.ts";
import { isDeepEqual } from "./deep-equal.ts";
import { type Graph, type HasBody, type LevelEdge, type Levels, levelsOf, topLevel, withGraph } from "./levels.ts";
import { type Choose, mapSides, mergeByKey, type Named, type Sides } from "./merge-sides.ts";
import { type Places, settlePlaces } from "./settle-places.ts";

interface MergedGraph {
  readonly nodes: readonly AnyNode[];
  readonly edges: readonly LevelEdge[];
}

/**
 * Merges the nodes of all levels, content and position separately. A node that both sides have is in the result,
 * wherever it was moved.
 */
export function mergeGraphs<Node extends AnyNode>(
  sides: Sides<Graph<Node>>,
  hasBody: HasBody,
  choose: Choose,
): MergedGraph {
  const levels = levelsOf(sides, hasBody);
  const merged = mergeLevelNodes(levels, choose);
  const places = settlePlaces(levels, merged, choose);
  const wires = mergeEdges(levels, choose);
  return new Assembly(levels, merged, places, wires).graph(topLevel);
}

/** How a conflict about a node is described. */
function named({ old, own, other }: Sides<Levels>, key: string): Named {
  const placed = own.nodes.get(key) ?? other.nodes.get(key) ?? old.nodes.get(key);
  const { id, level, node } = placed ?? { id: key, level: topLevel, node: {} };
  const label = typeof node.name === "string" && node.name !== "" ? node.name : id;
  return { key: `node ${key}`, what: label, where: level === topLevel ? id : `${level} › ${id}` };
}

/** The nodes that stay, by their keys, this side's first. A loop comes before what is in it. */
function mergeLevelNodes(levels: Sides<Levels>, choose: Choose): Map<string, AnyNode> {
  const { old, own, other } = levels;
  const merged = new Map<string, AnyNode>();
  for (const key of new Set([...own.nodes.keys(), ...other.nodes.keys()])) {
    const alike = alikeOf(levels, key);
    const isOnBoth = alike.own !== undefined && alike.other !== undefined;
    const [side, missing] = own.nodes.has(key) ? [own, other] : [other, own];
    const level = side.nodes.get(key)?.level ?? topLevel;
    const isWithLoop = level !== topLevel && !missing.nodes.has(level) && (old.nodes.has(level) || !old.nodes.has(key));
    if (isOnBoth) set(merged, key, choose(named(levels, key), alike));
    // Added or removed together with its loop.
    else if (isWithLoop ? merged.has(level) : !old.nodes.has(key) || staysChanged(levels, side, key, choose)) {
      set(merged, key, alike.own ?? alike.other);
    }
  }
  return merged;
}

function set(merged: Map<string, AnyNode>, key: string, node: AnyNode | undefined): void {
  if (node !== undefined) merged.set(key, node);
}

/**
 * Whether a node that one side removed stays. If the other side did not change it, it goes; otherwise this is a
 * conflict.
 */
function staysChanged(levels: Sides<Levels>, side: Levels, key: string, choose: Choose): boolean {
  if (levels.old.nodes.get(key)?.level !== side.nodes.get(key)?.level) return true;
  if (isSameWithin(levels, side, key)) return false;
  const given = mapSides(levels, ({ nodes }) => nodes.get(key)?.given);
  return choose(named(levels, key), given) !== undefined;
}

/** Whether a node and everything in it is unchanged. */
function isSameWithin(levels: Sides<Levels>, side: Levels, key: string): boolean {
  const { old, own } = levels;
  const alike = alikeOf(levels, key);
  const [was, is] = [old.nodes.get(key), side.nodes.get(key)];
  if (was === undefined || is === undefined || was.level !== is.level) return false;
  if (!isDeepEqual(alike.old, side === own ? alike.own : alike.other)) return false;
  const [before, now] = [old.inside.get(key) ?? [], side.inside.get(key) ?? []];
  const [wires, wiresNow] = [old.edges.get(key) ?? new Map(), side.edges.get(key) ?? new Map()];
  return (
    before.length === now.length &&
    wires.size === wiresNow.size &&
    [...wires].every(([id, edge]) => isDeepEqual(edge, wiresNow.get(id))) &&
    now.every((inner) => isSameWithin(levels, side, inner))
  );
}

/**
 * A node on all sides, with the names and positions that an editor fills in as soon as it changes a body: these are not
 * edits of the node. A position belongs to a level.
 */
function alikeOf({ old, own, other }: Sides<Levels>, key: string): Sides<AnyNode | undefined> {
  const sides = mapSides({ old, own, other }, ({ nodes }) => nodes.get(key));
  const all = [sides.old, sides.own, sides.other].filter((side) => side !== undefined);
  if (all.every(({ level }) => level === topLevel)) return mapSides(sides, (side) => side?.node);
  const isSplit = sides.own !== undefined && sides.other !== undefined && sides.own.level !== sides.other.level;
  const before = isSplit ? undefined : sides.old?.node.position;
  const given = sides.own?.node.position ?? sides.other?.node.position ?? { x: 0, y: 0 };
  return mapSides(sides, (side) => {
    if (side === undefined) return undefined;
    // If the base has no position, the other side's counts only if this side has none.
    const position = before === undefined ? given : (side.node.position ?? before);
    return { name: side.id, config: {}, ...side.node, position };
  });
}

/** The edges of every level. */
function mergeEdges({ old, own, other }: Sides<Levels>, choose: Choose): Map<string, LevelEdge[]> {
  const levels = new Set([...own.edges.keys(), ...other.edges.keys()]);
  return new Map(
    [...levels].map((level) => {
      const here = mapSides({ old, own, other }, ({ edges }) => edges.get(level));
      // A loop that one side removed keeps its edges from the other.
      const alone = here.own === undefined ? here.other : here.other === undefined ? here.own : undefined;
      if (alone !== undefined) return [level, [...alone.values()]];
      const sides = mapSides(here, (edges) => edges ?? new Map<string, LevelEdge>());
      const where = level === topLevel ? {} : { where: level };
      const merged = mergeByKey(sides, (id, edge) =>
        choose({ key: `edge ${level} ${id}`, what: `The edge ${id}`, ...where }, edge),
      );
      return [level, [...merged.values()]];
    }),
  );
}

/** Nests nodes and edges again. What equals one side's version is taken unchanged from that side. */
class Assembly {
  readonly #levels: Sides<Levels>;
  readonly #merged: ReadonlyMap<string, AnyNode>;
  readonly #places: Places;
  readonly #wires: ReadonlyMap<string, readonly LevelEdge[]>;
  readonly #inside = new Map<string, string[]>();

  constructor(
    levels: Sides<Levels>,
    merged: ReadonlyMap<string, AnyNode>,
    places: Places,
    wires: ReadonlyMap<string, readonly LevelEdge[]>,
  ) {
    this.#levels = levels;
    this.#wires = wires;
    this.#places = places;
    const all = new Map(merged);
    const isMovedHere = (key: string) => levels.own.nodes.get(key)?.level !== places.get(key)?.level;
    const [moved, unmoved] = [
      [...places].filter(([key]) => isMovedHere(key)),
      [...places].filter(([key]) => !isMovedHere(key)),
    ];
    for (const [key, { level, position }] of [...unmoved, ...moved]) {
      const keys = this.#inside.get(level) ?? [];
      this.#inside.set(level, keys);
      keys.push(key);
      const node = all.get(key);
      if (position !== undefined && node !== undefined) all.set(key, { ...node, position });
    }
    this.#merged = all;
  }

  graph(level: string): MergedGraph {
    const keys = this.#inside.get(level) ?? [];
    const ids = new Set<unknown>([triggerSource, ...keys.map((key) => this.#merged.get(key)?.id)]);
    return {
      nodes: keys.map((key) => this.#assembled(key)),
      // The other side may have removed or moved an end.
      edges: (this.#wires.get(level) ?? []).filter(({ source, target }) => ids.has(source) && ids.has(target)),
    };
  }

  #assembled(key: string): AnyNode {
    const node = this.#merged.get(key) ?? {};
    const { own, other } = this.#levels;
    for (const side of [own, other]) {
      const placed = side.nodes.get(key);
      // On the flow's own level every node has a name and a position; in bodies both are optional.
      const isAlike = placed?.level === this.#places.get(key)?.level;
      if (placed !== undefined && isAlike && this.#isSameAs(side, key)) return placed.given;
    }
    const isLoop = own.inside.has(key) || other.inside.has(key);
    if (!isLoop) return node;
    const { nodes, edges } = this.graph(key);
    return withGraph(node, nodes, edges);
  }

  /** Whether a node and everything in it equals one side's version. */
  #isSameAs(side: Levels, key: string): boolean {
    const alike = alikeOf(this.#levels, key);
    const node = side === this.#levels.own ? alike.own : alike.other;
    const position = side.nodes.get(key)?.node.position ?? { x: 0, y: 0 };
    if (!isDeepEqual(this.#merged.get(key), { ...node, position })) return false;
    const [keys, theirs] = [this.#inside.get(key) ?? [], side.inside.get(key) ?? []];
    const [wires, wiresThere] = [this.#wires.get(key) ?? [], [...(side.edges.get(key)?.values() ?? [])]];
    return (
      isDeepEqual(keys, theirs) && isDeepEqual(wires, wiresThere) && keys.every((inner) => this.#isSameAs(side, inner))
    );
  }
}
