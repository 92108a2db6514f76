import { edgeIdOf } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { isJsonObject, type Json } from "#lib/engine/json.ts";
import { byTarget, orderEdges } from "./edge-order.ts";
import { type Entries, OneLine, type Written } from "./write-yaml.ts";

/** A node or an edge of a flow or a body, which may have any stored shape. */
export type AnyNode = { readonly [field: string]: Json | undefined };
interface TextEdge {
  readonly source: string;
  readonly target: string;
  readonly handle: string | null;
  readonly rest: Entries;
}

/** The parts of a graph's text. */
export interface GraphText {
  /** Where the graph starts: edges from the trigger, or from a loop's item. */
  readonly start: Written | undefined;
  readonly nodes: Entries;
  /** Its part of the layout section. */
  readonly layout: Entries;
}

const nodeFields = new Set(["id", "type", "name", "position", "config", "disabled"]);
const edgeFields = new Set(["id", "source", "target", "sourceHandle", "targetHandle", "label"]);
const depthMax = 64;

/**
 * A graph in the text's form. Null if the form cannot express it: duplicate ids, edges without a source, unknown
 * fields. `isBody`: a loop's body, whose missing fields stay missing.
 */
export function graphText(
  nodes: readonly unknown[],
  edges: readonly unknown[],
  isBody: boolean,
  depth = 0,
): GraphText | null {
  if (depth > depthMax || !nodes.every((node) => isNode(node, isBody))) return null;
  const ids = new Set(nodes.map(({ id }) => id));
  if (ids.size !== nodes.length || ids.has(triggerSource)) return null;
  const bySource = new Map<string, TextEdge[]>([triggerSource, ...ids].map((id) => [id, []]));
  for (const edge of edges) {
    const read = readEdge(edge);
    const list = read === null ? undefined : bySource.get(read.source);
    if (read === null || list === undefined) return null;
    list.push(read);
  }
  const grouped = new Map([...bySource].map(([id, list]) => [id, byHandle(list)]));
  const isGrouped = hasOrder(edges as readonly TextEdge[], grouped);
  const leaving = isGrouped ? grouped : bySource;
  const inputs = inputsOf(edges as readonly TextEdge[], leaving);
  const nextOf = (id: string) => nextText(leaving.get(id) ?? [], isGrouped);
  const cards: Entries = new Map();
  const loops: Entries = new Map();
  const written: Entries = new Map();
  for (const node of nodes) {
    const { position } = node;
    const { x, y } = isJsonObject(position) ? position : {};
    const isPlaced = isBody || x !== 0 || y !== 0;
    if (isPlaced && typeof x === "number" && typeof y === "number") cards.set(node.id, new OneLine([x, y]));
    const body = bodyText(node.config, depth);
    if (body !== null && body.layout.size > 0) loops.set(node.id, body.layout);
    written.set(node.id, nodeText(node, isBody, body, nextOf(node.id), inputs.get(node.id)));
  }
  const layout: Entries = new Map();
  if (cards.size > 0) layout.set("cards", cards);
  if (loops.size > 0) layout.set("loops", loops);
  return { start: nextOf(triggerSource), nodes: written, layout };
}

function nodeText(
  { id, type, name, disabled, config }: AnyNode,
  isBody: boolean,
  body: GraphText | null,
  next: Written | undefined,
  inputs: readonly string[] | undefined,
): Entries {
  const text: Entries = new Map();
  const put = (key: string, value: Written | undefined) => {
    if (value !== undefined) text.set(key, value);
  };
  put("type", type);
  if (isBody || name !== id) put("name", name);
  put("disabled", disabled);
  const { body: _, ...others } = isJsonObject(config) ? config : {};
  const written = body === null ? config : others;
  const isLeftOut = isJsonObject(written) && Object.keys(written).length === 0 && (!isBody || body !== null);
  if (!isLeftOut) put("config", written);
  if (body !== null) {
    const inner: Entries = new Map();
    if (body.start !== undefined) inner.set("next", body.start);
    inner.set("nodes", body.nodes);
    text.set("body", inner);
  }
  put("next", next);
  put("inputs", inputs);
  return text;
}

/** A loop's body, or any value with exactly that shape. */
function bodyText(config: Json | undefined, depth: number): GraphText | null {
  const body = isJsonObject(config) ? config.body : undefined;
  if (!isJsonObject(body) || !Array.isArray(body.nodes) || !Array.isArray(body.edges)) return null;
  if (Object.keys(body).some((key) => key !== "nodes" && key !== "edges")) return null;
  return graphText(body.nodes, body.edges, true, depth + 1);
}

function isNode(node: unknown, isBody: boolean): node is AnyNode & { readonly id: string } {
  if (!isJsonObject(node) || !Object.keys(node).every((key) => nodeFields.has(key))) return false;
  const { id, type, name, position, config, disabled } = node as AnyNode;
  if (typeof id !== "string" || typeof type !== "string") return false;
  if (!isBody) return true;
  const isIn = (value: Json | undefined, is: boolean) => value === undefined || is;
  return (
    isIn(name, typeof name === "string") &&
    isIn(config, isJsonObject(config)) &&
    isIn(disabled, typeof disabled === "boolean") &&
    isIn(position, isPlace(position))
  );
}

function isPlace(position: Json | undefined): boolean {
  if (!isJsonObject(position)) return false;
  return Object.keys(position).length === 2 && Number.isFinite(position.x) && Number.isFinite(position.y);
}

function readEdge(edge: unknown): TextEdge | null {
  if (!isJsonObject(edge) || !Object.keys(edge).every((key) => edgeFields.has(key))) return null;
  const { id, source, target, sourceHandle, targetHandle, label } = edge as AnyNode;
  if (typeof source !== "string" || typeof target !== "string") return null;
  const others = [id, sourceHandle, targetHandle, label];
  if (!others.every((value) => value === undefined || value === null || typeof value === "string")) return null;
  const handle = typeof sourceHandle === "string" && sourceHandle !== "" ? sourceHandle : null;
  const rest: Entries = new Map();
  if (typeof label === "string") rest.set("label", label);
  if (typeof targetHandle === "string") rest.set("targetHandle", targetHandle);
  if (typeof id === "string" && id !== edgeIdOf(source, handle, target)) rest.set("id", id);
  return { source, target, handle, rest };
}

/** A single target or a list; by handle if all edges name theirs, unless the graph needs them in one list. */
function nextText(edges: readonly TextEdge[], isGrouped: boolean): Written | undefined {
  if (edges.length === 0) return undefined;
  if (!isGrouped || !areNamed(edges)) return oneOrList(edges.map((edge) => edgeText(edge, true)));
  const groups = Map.groupBy(edges, ({ handle }) => handle ?? "");
  return new Map([...groups].map(([handle, own]) => [handle, oneOrList(own.map((edge) => edgeText(edge, false)))]));
}

function areNamed(edges: readonly TextEdge[]): boolean {
  return edges.every(({ handle }) => handle !== null);
}

/** If all edges name their handles, sorts by handle: their order does not matter. */
function byHandle(edges: readonly TextEdge[]): TextEdge[] {
  return areNamed(edges) ? [...Map.groupBy(edges, ({ handle }) => handle).values()].flat() : [...edges];
}

function oneOrList(items: readonly Written[]): Written {
  const [only] = items;
  return items.length === 1 && typeof only === "string" ? only : items;
}

function edgeText({ target, handle, rest }: TextEdge, withHandle: boolean): Written {
  const isNamed = withHandle && handle !== null;
  if (rest.size === 0 && !isNamed) return target;
  return new Map<string, Written>([["to", target], ...(isNamed ? [["handle", handle] as const] : []), ...rest]);
}

/** The sources of a node's incoming edges, in order, if it differs from the text's. */
function inputsOf(edges: readonly TextEdge[], bySource: ReadonlyMap<string, readonly TextEdge[]>) {
  const [own, usual] = [byTarget(edges), byTarget([...bySource.values()].flat())];
  const named = (list: readonly TextEdge[]) => list.map(({ source }) => source);
  return new Map(
    [...own].flatMap(([target, list]): [string, string[]][] => {
      const [mine, theirs] = [named(list), named(usual.get(target) ?? [])];
      return mine.every((source, index) => source === theirs[index]) ? [] : [[target, mine]];
    }),
  );
}

/**
 * Whether the text's edges can be read back in an order. Grouped by handle, edges that alternate between two targets may
 * contradict the order of those targets' inputs.
 */
function hasOrder(edges: readonly TextEdge[], bySource: ReadonlyMap<string, readonly TextEdge[]>): boolean {
  const inputs = inputsOf(edges, bySource);
  const incoming = [...byTarget([...bySource.values()].flat())].map(([target, list]): [string, TextEdge[]] => {
    const left = Map.groupBy(list, ({ source }) => source);
    return [target, inputs.get(target)?.flatMap((source) => left.get(source)?.shift() ?? []) ?? list];
  });
  return orderEdges(bySource, new Map(incoming)) !== null;
}
