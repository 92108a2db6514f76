import { triggerSource } from "#lib/engine/flow.ts";
import type { Json, JsonObject } from "#lib/engine/json.ts";
import { orderEdges } from "./edge-order.ts";
import { jsonOf, type ListNode, type MapNode, pathOf, TextError, type TextNode } from "./parse-yaml.ts";

/** The origin of a document's values: their own YAML node, and those of members elsewhere in the text. */
export interface Origin {
  readonly node: TextNode;
  readonly members: ReadonlyMap<string | number, TextNode>;
}

/** Collects a problem, and where each value of the document comes from. */
export class Reading {
  readonly problems: TextError[] = [];
  readonly origins = new Map<object, Origin>();

  problem(node: TextNode, message: string): void {
    this.problems.push(new TextError(message, node.kind === "scalar" ? node.at : node.keyAt, pathOf(node)));
  }

  json(node: TextNode): Json {
    return jsonOf(node, (made, from) => this.from(made, from));
  }

  from<Made extends object>(made: Made, node: TextNode, members: Iterable<[string | number, TextNode]> = []): Made {
    this.origins.set(made, { node, members: new Map(members) });
    return made;
  }

  /** The entries of a map; reports anything else, and unknown keys. */
  fields(node: TextNode, known: readonly string[]): ReadonlyMap<string, TextNode> {
    if (node.kind !== "map") {
      this.problem(node, `must be a map of ${known.join(", ")}`);
      return new Map();
    }
    for (const { key, value } of node.entries) {
      if (known.includes(key)) continue;
      this.problems.push(new TextError(`is not known here; known are ${known.join(", ")}`, value.keyAt, pathOf(value)));
    }
    return new Map(node.entries.map(({ key, value }) => [key, value]));
  }

  map(node: TextNode | undefined, label: string): MapNode["entries"] {
    if (node === undefined) return [];
    if (node.kind === "map") return node.entries;
    this.problem(node, `must be a map ${label}`);
    return [];
  }

  /** Ids and handles, as written: a number needs no quotes. */
  name(node: TextNode): string | null {
    if (node.kind === "scalar" && (typeof node.value === "string" || node.source !== "")) {
      return typeof node.value === "string" ? node.value : node.source;
    }
    this.problem(node, "must be text");
    return null;
  }
}

type Edge = { source: string; target: string; [field: string]: string };
const edgeFields = ["to", "handle", "label", "targetHandle", "id"];
const nodeFields = ["type", "name", "disabled", "config", "body", "next", "inputs"];

interface GraphParts {
  readonly nodes: TextNode | undefined;
  readonly next: TextNode | undefined;
  /** Its part of the layout section. */
  readonly layout: TextNode | undefined;
}

/** A graph as in a document. `parent`: the enclosing object, for the graph's defaults. */
export function readGraph(reading: Reading, parts: GraphParts, parent: TextNode, isBody: boolean) {
  const { nodes, next } = parts;
  const layout = parts.layout === undefined ? new Map() : reading.fields(parts.layout, layoutFields(isBody));
  const cards = new Map(
    reading.map(layout.get("cards"), "of node ids and places").map(({ key, value }) => [key, value]),
  );
  const loops = new Map(reading.map(layout.get("loops"), "of node ids").map(({ key, value }) => [key, value]));
  const made: JsonObject[] = [];
  const bySource = new Map<string, Edge[]>();
  const declaredInputs = new Map<string, ListNode>();
  if (next !== undefined) bySource.set(triggerSource, readNext(reading, triggerSource, next));
  for (const { key: id, value } of reading.map(nodes, "of ids and nodes")) {
    const fields = reading.fields(value, nodeFields);
    made.push(readNode(reading, { id, text: value, fields, isBody, card: cards.get(id), loop: loops.get(id) }));
    const leaving = fields.get("next");
    if (leaving !== undefined) bySource.set(id, readNext(reading, id, leaving));
    const inputs = fields.get("inputs");
    if (inputs?.kind === "list") declaredInputs.set(id, inputs);
    else if (inputs !== undefined) reading.problem(inputs, "must be a list of node ids");
  }
  const incoming = readInputs(reading, bySource, declaredInputs);
  const edges = orderEdges(bySource, incoming);
  if (edges === null) {
    for (const list of declaredInputs.values()) reading.problem(list, "contradicts the order of other inputs");
  }
  const place = nodes ?? parent;
  return { nodes: reading.from(made, place), edges: reading.from(edges ?? [], place) };
}

export function layoutFields(isBody: boolean): readonly string[] {
  return isBody ? ["cards", "loops"] : ["cards", "loops", "canvas"];
}

interface NodeParts {
  readonly id: string;
  readonly text: TextNode;
  readonly fields: ReadonlyMap<string, TextNode>;
  /** In a loop's body, which has no defaults. */
  readonly isBody: boolean;
  /** Its place in the layout section, and its body's part of it. */
  readonly card: TextNode | undefined;
  readonly loop: TextNode | undefined;
}

function readNode(reading: Reading, { id, text, fields, isBody, card, loop }: NodeParts): JsonObject {
  const node: JsonObject = { id };
  const members: [string, TextNode][] = [["id", text], ...fields];
  for (const field of ["type", "name", "disabled", "config"]) {
    const value = fields.get(field);
    if (value !== undefined) node[field] = reading.json(value);
    else if (field === "name" && !isBody) node.name = id;
  }
  if (card !== undefined) {
    node.position = readPlace(reading, card);
    members.push(["position", card]);
  } else if (!isBody) node.position = { x: 0, y: 0 };
  const body = fields.get("body");
  if (body !== undefined) node.config = withBody(reading, node.config, body, loop);
  if (node.config === undefined && !isBody) node.config = {};
  if (node.type === undefined && text.kind === "map") reading.problem(text, "type is required");
  return reading.from(node, text, members);
}

function withBody(reading: Reading, config: Json | undefined, body: TextNode, layout: TextNode | undefined): Json {
  const given = typeof config === "object" && config !== null && !Array.isArray(config) ? config : {};
  if (Object.hasOwn(given, "body")) reading.problem(body, "is given twice: here and in config");
  const fields = reading.fields(body, ["next", "nodes"]);
  const graph = readGraph(reading, { nodes: fields.get("nodes"), next: fields.get("next"), layout }, body, true);
  const merged = { ...given, body: reading.from({ nodes: graph.nodes, edges: graph.edges }, body) };
  const own = reading.origins.get(given);
  return reading.from(merged, own?.node ?? body, [...memberNodes(own?.node), ["body", body]]);
}

function memberNodes(node: TextNode | undefined): [string, TextNode][] {
  return node?.kind === "map" ? node.entries.map(({ key, value }) => [key, value]) : [];
}

function readPlace(reading: Reading, card: TextNode): Json {
  if (card.kind !== "list") return reading.json(card);
  if (card.items.length !== 2) reading.problem(card, "must be [x, y]");
  const [x = null, y = null] = card.items.map((item) => reading.json(item));
  return reading.from({ x, y }, card);
}

/** The edges that leave a node, in their order. */
function readNext(reading: Reading, source: string, next: TextNode): Edge[] {
  if (next.kind !== "map") return readTargets(reading, source, next, null);
  return next.entries.flatMap(({ key, value }) => {
    if (value.kind !== "map") return readTargets(reading, source, value, key);
    reading.problem(value, "must be a node id, or a list of them");
    return [];
  });
}

function readTargets(reading: Reading, source: string, targets: TextNode, handle: string | null): Edge[] {
  const items = targets.kind === "list" ? targets.items : [targets];
  return items.flatMap((item): Edge[] => {
    const named = handle === null ? {} : { sourceHandle: handle };
    if (item.kind === "scalar") {
      const target = reading.name(item);
      return target === null ? [] : [reading.from({ source, target, ...named }, item)];
    }
    const fields = reading.fields(
      item,
      handle === null ? edgeFields : edgeFields.filter((field) => field !== "handle"),
    );
    const to = fields.get("to");
    if (to === undefined) {
      if (item.kind === "map") reading.problem(item, "to is required");
      return [];
    }
    const edge: Edge = { source, target: reading.name(to) ?? "", ...named };
    for (const [field, node] of fields) {
      if (field === "to" || !edgeFields.includes(field)) continue;
      edge[field === "handle" ? "sourceHandle" : field] = reading.name(node) ?? "";
    }
    return [reading.from(edge, item, [["target", to], ...fields])];
  });
}

/** The order of each node's incoming edges: as declared, otherwise as in the text. */
function readInputs(
  reading: Reading,
  bySource: ReadonlyMap<string, readonly Edge[]>,
  declared: ReadonlyMap<string, ListNode>,
): Map<string, Edge[]> {
  const usual = Map.groupBy([...bySource.values()].flat(), ({ target }) => target);
  return new Map(
    [...usual].map(([target, edges]) => {
      const list = declared.get(target);
      if (list === undefined) return [target, edges];
      const left = Map.groupBy(edges, ({ source }) => source);
      const ordered = list.items.flatMap((item) => {
        const source = reading.name(item);
        const edge = left.get(source ?? "")?.shift();
        if (edge === undefined && source !== null) reading.problem(item, `no edge leads here from "${source}"`);
        return edge ?? [];
      });
      // Unnamed ones come last.
      return [target, [...ordered, ...[...left.values()].flat()]];
    }),
  );
}
