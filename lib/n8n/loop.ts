import type { FlowEdge } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { type Built, type ConversionSite, isThere, nodeAt, type Out, OuterData, outputOf } from "./built.ts";
import type { N8nNode } from "./document.ts";
import { convertLevel, type Level, type LevelRequest, loopOutput, type Work } from "./level.ts";
import { Parameters } from "./parameters.ts";
import { listOf, type Source } from "./source.ts";

/** Converts a loop over batches of items, with its body. */
export async function buildLoop(
  work: Work,
  request: LevelRequest,
  node: N8nNode,
  site: ConversionSite,
  body: ReadonlySet<string>,
): Promise<Built> {
  const { id } = site;
  const input: Source = site.inputs[0] ?? { shape: "one", json: "({})", isThere: "true" };
  const [loopAt, doneAt] = loopOutput(node) === 1 ? [1, 0] : [0, 1];
  const items = listOf(input);
  const reading = { ...site.reading, input, item: input };
  const parameters = new Parameters(node.parameters, reading, site.gap);
  parameters.reportOthers("options", []);
  const size = sizeIn(node, parameters, site);
  const batches = `((all) => Array.from({ length: Math.ceil(all.length / ${size}) }, (_, at) => all.slice(at * ${size}, (at + 1) * ${size})))(${items})`;
  const item: Source = {
    shape: size === 1 ? "one" : "list",
    json: "$item",
    isThere: "true",
    ...(size === 1 || input.line === undefined ? {} : { line: Symbol(id) }),
    ...(size === 1 && input.moved !== undefined ? { moved: input.moved } : {}),
  };
  const entering = request.links.filter(({ source, output }) => source === node.name && output === loopAt);
  const start: Out = { from: null, handle: null, source: item, when: new Map() };
  const outer = new OuterData(site);
  const inside = await convertLevel(work, {
    members: request.members.filter((name) => body.has(name)),
    links: request.links,
    starts: new Map(entering.map(({ target }) => [target, start])),
    of: (name) => (name === node.name ? item : outer.of(name)),
    index: "$index",
    line: size === 1 ? input.line : undefined,
  });
  const back = request.links.filter(({ source, target }) => target === node.name && body.has(source));
  const ends = back.flatMap(({ source, output }) => inside.outs.get(source)?.[output] ?? []);
  const isUsed = request.links.some(({ source, output }) => source === node.name && output === doneAt);
  const shape = isUsed && ends.length > 0 ? addResult(node, site, inside, ends) : null;
  const made = {
    type: "loop",
    config: {
      items: size === 1 ? items : batches,
      body: { nodes: inside.nodes, edges: inside.edges } as unknown as JsonObject,
      maxItems: 10_000,
    },
  };
  const json = shape === "list" ? `${outputOf(id)}.flat()` : outputOf(id);
  const done: Source =
    shape === null
      ? { ...input, shape: "list", json: items, isThere: isThere(id) }
      : {
          shape: "list",
          json,
          isThere: isThere(id),
          ...(size === 1 && shape === "one" && input.line ? { line: input.line } : {}),
        };
  const outs = doneAt === 0 ? [done] : [done, done];
  return outer.before(node, {
    nodes: [nodeAt(node, id, inside.nodes.length === 0 ? { type: "transform", config: { transform: items } } : made)],
    edges: [],
    entries: [id],
    outs: outs.map((source) => ({ from: id, handle: null, source })),
    decides: false,
  });
}

/** The number of items in a batch. */
function sizeIn({ version }: N8nNode, parameters: Parameters, site: ConversionSite): number {
  const otherwise = version >= 3 ? 1 : 10;
  const given = parameters.at("batchSize");
  if (typeof given !== "string" || !given.startsWith("="))
    return Math.round(parameters.number("batchSize", 1, 10_000, otherwise));
  site.gap(`The size of a batch is an expression in n8n: ${given.slice(1, 200)}. Here a batch has ${otherwise}.`);
  return otherwise;
}

/** Adds a last node to the body: its output, which goes back to the loop, is the loop's result. Returns its shape. */
function addResult(node: N8nNode, site: ConversionSite, inside: Level, ends: readonly Out[]): "one" | "list" {
  const isSingle = ends.every(({ source }) => source.shape === "one");
  const [end] = ends;
  const isLast = (out: Out) => !inside.edges.some(({ source }) => source === out.from);
  const sinks = inside.nodes.filter(({ id }) => !inside.edges.some(({ source }) => source === id));
  if (
    end !== undefined &&
    ends.length === 1 &&
    end.from !== null &&
    sinks.length === 1 &&
    isLast(end) &&
    end.source.json === outputOf(end.from)
  ) {
    return isSingle ? "one" : "list";
  }
  const id = site.newId(`${site.id}-result`);
  const js = isSingle
    ? ends.reduceRight((rest, { source }) => `${source.isThere} ? ${source.json} : ${rest === "" ? "null" : rest}`, "")
    : `[${ends.map(({ source }) => `...(${source.isThere} ? ${listOf(source)} : [])`).join(", ")}]`;
  const right = Math.max(...inside.nodes.map(({ position }) => position.x));
  const made = nodeAt(node, id, { type: "transform", config: { transform: js } }, { name: "Result" });
  inside.nodes.push({ ...made, position: { x: right + 260, y: node.position.y } });
  const edges: FlowEdge[] = ends.flatMap(({ from, handle }) =>
    from === null ? [] : [{ source: from, target: id, ...(handle === null ? {} : { sourceHandle: handle }) }],
  );
  inside.edges.push(...edges);
  return isSingle ? "one" : "list";
}
