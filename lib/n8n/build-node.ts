import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import {
  type Built,
  type ConversionSite,
  contextOf,
  contextOfEach,
  contextOfOne,
  isThere,
  nodeAt,
  OuterData,
  outputOf,
  transform,
} from "./built.ts";
import type { N8nNode } from "./document.ts";
import { converterOf, isCode, serviceLike } from "./nodes/all.ts";
import { convertCode } from "./nodes/code.ts";
import type { Converter, ItemAction, Made } from "./nodes/convert-node.ts";
import { listOf, NotConverted, restoredItem, type Source } from "./source.ts";
import { buildSplit } from "./split-items.ts";

/** Converts a node. Throws NotConverted. */
export function buildNode(node: N8nNode, site: ConversionSite): Built {
  if (node.isTooLarge) throw new NotConverted("parameters that are too large");
  const given = site.inputs[0] ?? { shape: "one", json: "$trigger.body", isThere: "true" };
  const input: Source =
    node.executeOnce && given.shape === "list"
      ? { shape: "one", json: `${given.json}[0]`, isThere: given.isThere }
      : given;
  if (isCode(node)) return buildCode(node, site, input);
  const converter = converterOf(node);
  if (converter === undefined) throw new NotConverted(reasonWithout(node));
  if (converter.kind !== "list" && converter.kind !== "join") input.mayBeList?.report();
  return build(node, site, input, converter);
}

function reasonWithout(node: N8nNode): string {
  const service = serviceLike(node);
  return service === undefined
    ? "there is no node like it"
    : `add ${service} from the palette’s services, and set it up there`;
}

function build(node: N8nNode, site: ConversionSite, input: Source, converter: Converter): Built {
  const { id } = site;
  const single = (made: Made, source: Source): Built => ({
    nodes: [nodeAt(node, id, made)],
    edges: [],
    entries: [id],
    outs: [{ from: id, handle: null, source }],
    decides: false,
  });
  const own = { json: outputOf(id), isThere: isThere(id) };
  if (converter.kind === "map") {
    if (input.shape === "one")
      return single(transform(converter.make(contextOfOne(node, site, input))), { shape: "one", ...own });
    const { around, item, index } = contextOfEach(node, site, input);
    const made = converter.make(around);
    const js = `${input.json}.map((${item}, ${index}) => ${made.startsWith("({") ? made : `(${made})`})`;
    return single(transform(js), { shape: "list", ...own, ...lineOf(input) });
  }
  if (converter.kind === "list") {
    const { js, shape } = converter.make(contextOfOne(node, site, input), listOf(input));
    return single(transform(js), { shape, ...own, line: Symbol(id) });
  }
  if (converter.kind === "join") {
    const { js, shape } = converter.make(contextOfOne(node, site, input));
    return single(transform(js), { shape, ...own, line: Symbol(id) });
  }
  if (converter.kind === "pass") {
    const around = contextOfOne(node, site, input);
    const { json, moved, ends, timesOut, ...made } = converter.make(around);
    const source: Source =
      json === undefined
        ? { ...input, isThere: isThere(id) }
        : { ...own, shape: "one", json: json(own.json), ...(moved === undefined ? {} : { moved }) };
    if (timesOut === true) return afterTimeout(node, site, single(made, source), around.reading.item);
    return { ...single(made, source), isStop: ends === true };
  }
  if (converter.kind === "part") return buildSplit(node, site, input, converter);
  return buildItemAction(node, site, input, converter);
}

/**
 * How many characters longer than a plain reference the code for a node's data may be; longer code gets its own node.
 */
const jsonCharactersMax = 150;

function resultNode(node: N8nNode, id: string, js: string): FlowNode {
  const { x, y } = node.position;
  return { ...nodeAt(node, id, transform(js), { name: "Result" }), position: { x: x + 260, y } };
}

/** A wait whose time limit leads on as well, with what it was given. */
function afterTimeout(node: N8nNode, site: ConversionSite, waiting: Built, given: Source): Built {
  const { id } = site;
  const [out] = waiting.outs;
  if (out === undefined) return waiting;
  const target = site.newId(`${id}-result`);
  const js = `${outputOf(id)}.timedOutAt === undefined ? ${restoredItem(out.source)} : ${restoredItem(given)}`;
  const source: Source = { shape: "one", json: outputOf(target), isThere: isThere(target) };
  return {
    ...waiting,
    nodes: [...waiting.nodes, resultNode(node, target, js)],
    edges: [
      { source: id, target },
      { source: id, target, sourceHandle: "timeout" },
    ],
    outs: [{ from: target, handle: null, source }],
  };
}

const lineOf = ({ line }: Source) => (line === undefined ? {} : { line });

function buildCode(node: N8nNode, site: ConversionSite, input: Source): Built {
  const { code, shape, isEach } = convertCode(contextOfOne(node, site, input));
  const { id } = site;
  const line = isEach ? lineOf(input) : { line: Symbol(id) };
  return {
    nodes: [nodeAt(node, id, { type: "code", config: { code } })],
    edges: [],
    entries: [id],
    outs: [{ from: id, handle: null, source: { shape, json: outputOf(id), isThere: isThere(id), ...line } }],
    decides: false,
  };
}

function buildItemAction(node: N8nNode, site: ConversionSite, input: Source, converter: ItemAction): Built {
  const { id } = site;
  const report = () =>
    site.gap(
      "If the answer is a list, n8n continues once per element, but this flow continues once with the whole list: in that case, put the following nodes into a loop.",
    );
  if (input.shape === "one") {
    const { json, gives, mayBeList, moved, ...made } = converter.make(contextOfOne(node, site, input));
    const data = json(outputOf(id));
    const source: Source = {
      shape: gives ?? "one",
      json: data,
      isThere: isThere(id),
      ...(gives === "list" ? { line: Symbol(id) } : {}),
      ...(mayBeList === true ? { mayBeList: { report } } : {}),
      ...(moved === undefined ? {} : { moved: moved(outputOf(id)) }),
    };
    const nodes = [nodeAt(node, id, made)];
    if (data.length <= outputOf(id).length + jsonCharactersMax) {
      return { nodes, edges: [], entries: [id], outs: [{ from: id, handle: null, source }], decides: false };
    }
    // Otherwise each reference would be long.
    const last = site.newId(`${id}-result`);
    nodes.push(resultNode(node, last, data));
    const result = { from: last, handle: null, source: { ...source, json: outputOf(last), isThere: isThere(last) } };
    return { nodes, edges: [{ source: id, target: last }], entries: [id], outs: [result], decides: false };
  }
  const inner = site.newId(`${id}-item`);
  const converted: Source = {
    shape: "one",
    json: "$item",
    isThere: "true",
    ...(input.moved === undefined ? {} : { moved: input.moved }),
  };
  const outer = new OuterData(site);
  const reading = {
    ...{ ...site.reading, of: outer.of },
    ...{ input: converted, item: converted, index: "$index", line: input.line },
  };
  const { json, gives, mayBeList: _, moved: _moved, ...made } = converter.make(contextOf(node, site, reading));
  const nodes = [nodeAt(node, inner, made)];
  const edges: FlowEdge[] = [];
  const result = json(outputOf(inner));
  if (result !== outputOf(inner)) {
    const last = site.newId(`${id}-result`);
    nodes.push(resultNode(node, last, result));
    edges.push({ source: inner, target: last });
  }
  const body = { nodes, edges } as unknown as JsonObject;
  const loop = nodeAt(node, id, { type: "loop", config: { items: input.json, body, maxItems: 10_000 } });
  const source: Source =
    gives === "list"
      ? { shape: "list", json: `${outputOf(id)}.flat()`, isThere: isThere(id), line: Symbol(id) }
      : { shape: "list", json: outputOf(id), isThere: isThere(id), ...lineOf(input) };
  const outs = [{ from: id, handle: null, source }];
  return outer.before(node, { nodes: [loop], edges: [], entries: [id], outs, decides: false });
}
