import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { type FlowNode, triggerSource } from "#lib/engine/flow.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import { type Renames, renameReferences } from "#lib/expressions/expressions.ts";

type AnyNode = Pick<FlowNode, "id" | "type" | "config">;

/** The ids of nodes and of everything in their bodies, at any depth; each is unique in a flow. */
export function idsWithin(nodes: readonly AnyNode[], types: readonly NodeType[]): string[] {
  return nodes.flatMap((node) => [node.id, ...idsWithin(bodyNodes(node, types), types)]);
}

/** The ids that a new node cannot have. */
export function takenIds(nodes: readonly AnyNode[], types: readonly NodeType[]): Set<string> {
  return new Set([triggerSource, ...idsWithin(nodes, types)]);
}

/** The node with new ids for itself and its body; its expressions and the body's edges follow. */
export function withNewIds<Node extends AnyNode>(node: Node, renames: Renames, types: readonly NodeType[]): Node {
  const id = renames.get(node.id) ?? node.id;
  return { ...node, id, config: configWithNewIds(node, renames, types) };
}

function configWithNewIds({ type, config }: AnyNode, renames: Renames, types: readonly NodeType[]): JsonObject {
  const known = types.find((candidate) => candidate.type === type);
  const programs = programFields(known);
  const { body, ...own } = config;
  const isBody = known?.hasBody === true && isJsonObject(body);
  const renamed = renameReferences(isBody ? own : config, renames, (field) => programs.has(field));
  if (!isJsonObject(renamed)) return config;
  return isBody ? { ...renamed, body: bodyWithNewIds(body, renames, types) } : renamed;
}

function bodyWithNewIds(body: JsonObject, renames: Renames, types: readonly NodeType[]): JsonObject {
  const to = (id: Json | undefined) => (typeof id === "string" ? (renames.get(id) ?? id) : id);
  const eachOf = (list: Json | undefined, change: (item: JsonObject) => Json): Json =>
    Array.isArray(list) ? list.map((item) => (isJsonObject(item) ? change(item) : item)) : (list ?? []);
  const nodes = eachOf(body.nodes, (item) => {
    const node = readNode(item);
    return node === null ? item : { ...item, ...withNewIds(node, renames, types) };
  });
  if (body.edges === undefined) return { ...body, nodes };
  const edges = eachOf(body.edges, (edge) => ({ ...edge, source: to(edge.source), target: to(edge.target) }) as Json);
  return { ...body, nodes, edges };
}

/** A body is edited as JSON: anything that is not a node yet stays unchanged. */
function bodyNodes({ type, config }: AnyNode, types: readonly NodeType[]): AnyNode[] {
  if (!isJsonObject(config.body) || !Array.isArray(config.body.nodes)) return [];
  if (types.find((candidate) => candidate.type === type)?.hasBody !== true) return [];
  return config.body.nodes.flatMap((item) => readNode(item) ?? []);
}

function readNode(item: Json): AnyNode | null {
  if (!isJsonObject(item) || typeof item.id !== "string" || typeof item.type !== "string") return null;
  return { id: item.id, type: item.type, config: isJsonObject(item.config) ? item.config : {} };
}

/** A free id: `http-request`, `http-request-2`, … */
export function newId(baseId: string, taken: ReadonlySet<string> | ReadonlyMap<string, unknown>): string {
  const stem = baseId.replace(/-\d+$/, "") || "node";
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? stem : `${stem}-${count}`;
    if (!taken.has(id)) return id;
  }
}

/** A free name: the base name, else "Log 2", "Log 3", … */
export function newName(baseName: string, taken: ReadonlySet<string>): string {
  if (baseName !== "" && !taken.has(baseName)) return baseName;
  const stem = baseName.replace(/ \d+$/, "") || "Node";
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? stem : `${stem} ${count}`;
    if (!taken.has(name)) return name;
  }
}

/** The names of a type's config fields, at any depth, whose text is a whole program. */
export function programFields(type: NodeType | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (schema: unknown, name: string): void => {
    if (!isJsonObject(schema)) return;
    if (schema.format === "expression" || schema.format === "code") found.add(name);
    if (isJsonObject(schema.properties)) {
      for (const [key, child] of Object.entries(schema.properties)) visit(child, key);
    }
    visit(schema.items, name);
  };
  visit(type?.configSchema, "");
  return found;
}
