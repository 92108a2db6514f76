import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import { edgeIdOf } from "./flow-draft.ts";

/** A node of a flow, or of a body, as JSON. */
export interface AnyNode {
  readonly id?: Json;
  readonly type?: Json;
  readonly name?: Json;
  readonly position?: Json;
  readonly config?: Json;
}

export function configOf(node: AnyNode | undefined): JsonObject {
  return isJsonObject(node?.config) ? node.config : {};
}

/** A node without the nodes and edges of its body. */
export function withoutGraph<Node extends AnyNode>(node: Node | undefined): Node | undefined {
  if (node === undefined) return undefined;
  const { body, ...config } = configOf(node);
  const { nodes: _, edges: __, ...others } = isJsonObject(body) ? body : {};
  return { ...node, config: { ...config, body: others } };
}

export type Parts = ReadonlyMap<string, JsonObject>;

export interface Body {
  readonly nodes: Parts;
  readonly edges: Parts;
}

/** A body's nodes and edges by id; null if it is not a graph or has duplicate ids. */
export function readBody(body: Json | undefined): Body | null {
  if (!isJsonObject(body)) return null;
  const { nodes, edges = [] } = body;
  if (!Array.isArray(nodes) || !Array.isArray(edges) || !nodes.every(isNode) || !edges.every(isEdge)) return null;
  const parts = {
    nodes: new Map(nodes.filter(isNode).map((node) => [String(node.id), node])),
    edges: new Map(edges.filter(isEdge).map((edge) => [edgeKey(edge), { ...edge, id: edgeKey(edge) }])),
  };
  // Duplicate ids identify nothing.
  return parts.nodes.size === nodes.length && parts.edges.size === edges.length ? parts : null;
}

function isNode(item: Json): item is JsonObject {
  return isJsonObject(item) && typeof item.id === "string" && typeof item.type === "string";
}

function isEdge(item: Json): item is JsonObject {
  return isJsonObject(item) && typeof item.source === "string" && typeof item.target === "string";
}

function edgeKey({ id, source, sourceHandle, target }: JsonObject): string {
  if (typeof id === "string" && id !== "") return id;
  return edgeIdOf(String(source), typeof sourceHandle === "string" ? sourceHandle : null, String(target));
}
