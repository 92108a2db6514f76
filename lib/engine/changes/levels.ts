import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { type AnyNode, type Body, configOf, readBody, withoutGraph } from "./body-parts.ts";
import { byName, freeKeys, mapSides, type Sides } from "./merge-sides.ts";

/** Whether nodes of this type run their `config.body`. */
export type HasBody = (type: string) => boolean;

/** The level of the flow's own graph. Every other level is named by the key of its loop. */
export const topLevel = "";

/** A node on its level, without its body's graph. */
export interface LevelNode {
  readonly id: string;
  /** The key of the loop around it. */
  readonly level: string;
  /** Without the nodes and edges of its body: these are listed separately. */
  readonly node: AnyNode;
  /** As given, with everything in it. */
  readonly given: AnyNode;
}

export type LevelEdge = JsonObject | EdgeLike;
interface EdgeLike {
  readonly id: string;
  readonly source: string;
  readonly target: string;
}

/** All levels of a flow side by side. */
export interface Levels {
  /** By key: the node's id if it is unique. A loop comes before its contents. */
  readonly nodes: ReadonlyMap<string, LevelNode>;
  /** The keys of each level's nodes, in order. */
  readonly inside: ReadonlyMap<string, readonly string[]>;
  readonly edges: ReadonlyMap<string, ReadonlyMap<string, LevelEdge>>;
}

export interface Graph<Node extends AnyNode> {
  readonly nodes: readonly Node[];
  readonly edges: readonly EdgeLike[];
}

/**
 * The levels of three states of a flow. A loop whose body is not a graph in one of them counts as an ordinary node in
 * all.
 */
export function levelsOf<Node extends AnyNode>(sides: Sides<Graph<Node>>, hasBody: HasBody): Sides<Levels> {
  const closed = new Set<string>();
  mapSides(sides, ({ nodes }) => findClosed(nodes, hasBody, closed));
  return mapSides(sides, (graph) =>
    spread(graph, (node) => (closed.has(String(node.id)) ? null : bodyOf(node, hasBody))),
  );
}

function bodyOf(node: AnyNode, hasBody: HasBody): Body | null {
  return typeof node.type === "string" && hasBody(node.type) ? readBody(configOf(node).body) : null;
}

function findClosed(nodes: Iterable<AnyNode>, hasBody: HasBody, closed: Set<string>): void {
  for (const node of nodes) {
    const body = bodyOf(node, hasBody);
    if (body === null) closed.add(String(node.id));
    else findClosed(body.nodes.values(), hasBody, closed);
  }
}

function spread({ nodes, edges }: Graph<AnyNode>, open: (node: AnyNode) => Body | null): Levels {
  const found = new Map<string, LevelNode>();
  const keyOf = freeKeys(found);
  const inside = new Map<string, string[]>();
  const wires = new Map<string, ReadonlyMap<string, LevelEdge>>([[topLevel, byName(edges, ({ id }) => id)]]);
  const put = (level: string, list: Iterable<AnyNode>) => {
    const keys: string[] = [];
    inside.set(level, keys);
    for (const given of list) {
      const id = String(given.id);
      const key = keyOf(id);
      const body = open(given);
      keys.push(key);
      found.set(key, { id, level, given, node: body === null ? given : (withoutGraph(given) ?? given) });
      if (body === null) continue;
      wires.set(key, body.edges);
      put(key, body.nodes.values());
    }
  };
  put(topLevel, nodes);
  return { nodes: found, inside, edges: wires };
}

/** Puts the nodes and edges of its body back into a loop. */
export function withGraph(node: AnyNode, nodes: readonly AnyNode[], edges: readonly LevelEdge[]): AnyNode {
  const config = configOf(node);
  const body = isJsonObject(config.body) ? config.body : {};
  return { ...node, config: { ...config, body: { ...body, nodes: nodes.map(plain), edges: edges.map(plain) } } };
}

/** An item as JSON, without undefined members. */
function plain(item: object): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
}
