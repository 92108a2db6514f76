import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import { nodeReference } from "#lib/engine/node-reference.ts";
import type { N8nNode } from "./document.ts";
import type { Around, Made } from "./nodes/convert-node.ts";
import { Parameters } from "./parameters.ts";
import { freeName, type Reading, type Source } from "./source.ts";

/** An exit of a converted node. */
export interface Out {
  /** The flow's node and handle that edges leave from; null at the start of a graph. */
  readonly from: string | null;
  readonly handle: string | null;
  readonly source: Source;
  /** The decisions that led here: node ids, and which branch was taken. */
  readonly when: ReadonlyMap<string, number>;
}

/** The conversion of an n8n node. */
export interface Built {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
  /** The nodes that incoming edges lead to. */
  readonly entries: readonly string[];
  readonly outs: readonly Omit<Out, "when">[];
  /** Only one of the exits is taken. */
  readonly decides: boolean;
  readonly isStop?: boolean;
}

/** What converting a node needs besides the node. */
export interface ConversionSite {
  readonly id: string;
  readonly inputs: readonly Source[];
  /** How expressions are read for the node as a whole; `input` and `item` are added per converter. */
  readonly reading: Omit<Reading, "input" | "item">;
  readonly outputsUsed: ReadonlySet<number>;
  newId(name: string): string;
  gap(reason: string): void;
  credential(type: string): string | undefined;
}

/** The data from around a loop that its body reads. `$item` is the loop's own there: a node before the loop keeps the outer one. */
export class OuterData {
  readonly #site: ConversionSite;
  #keptId: string | null = null;

  constructor(site: ConversionSite) {
    this.#site = site;
  }

  of = (name: string): Source | string => {
    const source = this.#site.reading.of(name);
    if (typeof source === "string" || !/\$item\b/.test(source.json)) return source;
    this.#keptId ??= this.#site.newId(`${this.#site.id}-outer-item`);
    const kept = outputOf(this.#keptId);
    return { ...source, json: source.json.replaceAll(/\$item\b/g, () => kept) };
  };

  /** The loop, after the node that keeps the outer item if its body reads it. */
  before(node: N8nNode, built: Built): Built {
    const id = this.#keptId;
    if (id === null) return built;
    const keeper = nodeAt(node, id, transform("$item"), { name: "Outer item", below: 140 });
    const edges = built.entries.map((target) => ({ source: id, target }));
    return { ...built, nodes: [...built.nodes, keeper], edges: [...built.edges, ...edges], entries: [id] };
  }
}

export const outputOf = (id: string) => `${nodeReference(id)}.output`;
export const isThere = (id: string) => `(${outputOf(id)} !== undefined)`;

/** Node types that retry what may pass. */
const retrying: ReadonlySet<string> = new Set(["http-request", "send-mail"]);

/** The node that replaces an n8n node. */
export function nodeAt(
  node: N8nNode,
  id: string,
  { type, config }: Made,
  options: { name?: string; below?: number } = {},
): FlowNode {
  const { x, y } = node.position;
  const { retry } = node;
  const retries =
    retry !== null && retrying.has(type)
      ? { retry: { maxRetries: retry.times, retryDelay: retry.delayMs, backoff: "fixed" } }
      : {};
  return {
    ...{ id, type, name: options.name ?? node.name, position: { x, y: y + (options.below ?? 0) } },
    config: { ...config, ...retries },
  };
}

export const transform = (js: string): Made => ({ type: "transform", config: { transform: js } });

/** A converter's context, for the node as a whole. */
export function contextOfOne(node: N8nNode, site: ConversionSite, input: Source): Around {
  const item: Source = input.shape === "one" ? input : { ...input, shape: "one", json: `${input.json}[0]` };
  return contextOf(node, site, { ...site.reading, input, item });
}

/** The same inside a function of one item, with names that its expressions do not use. */
export function contextOfEach(node: N8nNode, site: ConversionSite, input: Source) {
  const used = new Set(JSON.stringify(node.parameters).match(/[\w$]+/g));
  const [item, index] = [freeName("item", used), freeName("index", used)];
  const source: Source = {
    shape: "one",
    json: item,
    isThere: "true",
    ...(input.moved === undefined ? {} : { moved: input.moved }),
  };
  const reading = { ...site.reading, input, item: source, index, line: input.line };
  return { around: contextOf(node, site, reading), item, index };
}

/** A converter's context for this reading. */
export function contextOf(node: N8nNode, site: ConversionSite, reading: Reading): Around {
  const { id, inputs, gap, credential } = site;
  return { node, id, inputs, reading, gap, credential, parameters: new Parameters(node.parameters, reading, gap) };
}
