import { type FlowEdge, flowLimits } from "#lib/engine/flow.ts";
import {
  type Built,
  type ConversionSite,
  contextOfEach,
  contextOfOne,
  isThere,
  nodeAt,
  outputOf,
  transform,
} from "./built.ts";
import { type N8nNode, shortText } from "./document.ts";
import type { Branching } from "./nodes/convert-node.ts";
import { NotConverted, type Source } from "./source.ts";

/** Converts a node that sends each item to one of several exits. Throws NotConverted. */
export function buildSplit(node: N8nNode, site: ConversionSite, input: Source, converter: Branching): Built {
  const { id } = site;
  if (input.shape === "list") return partList(node, site, input, converter);
  const { branches, on, all } = converter.make(contextOfOne(node, site, input));
  const [first, second, ...others] = branches;
  if (first?.when != null && second?.when === null && others.length === 0) {
    const out = (handle: string) => ({
      from: id,
      handle,
      source: { ...input, isThere: `(${outputOf(id)}?.branch === "${handle}")` },
    });
    const config = { condition: first.when };
    return {
      nodes: [nodeAt(node, id, { type: "if-else", config })],
      edges: [],
      entries: [id],
      outs: [out("true"), out("false")],
      decides: true,
    };
  }
  if (all === true) throw new NotConverted("a switch that takes every matching branch");
  const names = new Set<string>();
  const ids = branches.map(({ when, name }) => {
    if (when === null) return "default";
    const baseName = shortText(name, 50) || "way";
    let own = baseName;
    for (let turn = names.size + 1; names.has(own) || ["default", "error"].includes(own); turn += 1)
      own = `${baseName}-${turn}`;
    names.add(own);
    return own;
  });
  if (names.size > 100) throw new NotConverted("a switch with more than a hundred branches");
  const cases = branches.flatMap(({ when }, index) => (when === null ? [] : [{ id: ids[index] ?? "", when }]));
  const outs = ids.map((handle) => ({
    from: id,
    handle,
    source: { ...input, isThere: `(${outputOf(id)}?.case === ${JSON.stringify(handle)})` },
  }));
  const config = { value: on ?? '"the first rule that fits"', cases };
  return { nodes: [nodeAt(node, id, { type: "switch", config })], edges: [], entries: [id], outs, decides: true };
}

/** Splits a list: each exit gets its items, if there are any. */
function partList(node: N8nNode, site: ConversionSite, input: Source, converter: Branching): Built {
  const { id } = site;
  const { around, item, index } = contextOfEach(node, site, input);
  const { branches, all } = converter.make(around);
  const [first, ...rest] = branches;
  if (
    first?.when != null &&
    site.outputsUsed.size <= 1 &&
    site.outputsUsed.has(0) &&
    rest.every(({ when }) => when === null)
  ) {
    const js = `${input.json}.filter((${item}, ${index}) => ${first.when})`;
    return guarded(node, site, js, [{ name: first.name, json: outputOf(id) }]);
  }
  const whens = branches.flatMap(({ when }) => (when === null ? [] : [`Boolean(${when})`]));
  let place = 0;
  const lists = branches.map(({ when }) => {
    const at = when === null ? -1 : place++;
    if (at === -1) return "items.filter((_, at) => !fits[at].includes(true))";
    return all === true
      ? `items.filter((_, at) => fits[at][${at}])`
      : `items.filter((_, at) => fits[at].indexOf(true) === ${at})`;
  });
  const js = `((items) => { const fits = items.map((${item}, ${index}) => [${whens.join(", ")}]); return [${lists.join(", ")}]; })(${input.json})`;
  return guarded(
    node,
    site,
    js,
    branches.map(({ name }, index) => ({ name, json: `${outputOf(id)}[${index}]` })),
  );
}

/** A transform that splits a list, and for each connected exit a condition that it has items. */
function guarded(
  node: N8nNode,
  site: ConversionSite,
  js: string,
  parts: readonly { readonly name: string; readonly json: string }[],
): Built {
  const { id } = site;
  const nodes = [nodeAt(node, id, transform(js))];
  const edges: FlowEdge[] = [];
  const outs = parts.map(({ name, json }, index) => {
    if (!site.outputsUsed.has(index))
      return { from: id, handle: null, source: { shape: "list" as const, json, isThere: isThere(id) } };
    const guard = site.newId(`${id}-${name}`);
    const made = { type: "if-else", config: { condition: `${json}.length > 0` } };
    nodes.push({
      ...nodeAt(node, guard, made, { name: shortText(`${node.name}: any ${name}?`, flowLimits.nameCharactersMax) }),
      position: { x: node.position.x + 180, y: node.position.y + index * 140 },
    });
    edges.push({ source: id, target: guard });
    const there = `(${outputOf(guard)}?.branch === "true")`;
    return {
      from: guard,
      handle: "true",
      source: { shape: "list" as const, json, isThere: there, line: Symbol(guard) },
    };
  });
  return { nodes, edges, entries: [id], outs, decides: false };
}
