// Random states of a flow, and a model, independent of the merge code, of what merging them must not lose.
import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import type { FlowDocument } from "#lib/flow-text/flow-document.ts";
import type { MergedFlows } from "#lib/flow-text/merge-flows.ts";

export type Random = () => number;

/** Deterministic random numbers from a seed. */
export function randomOf(seed: number): Random {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
const types = ["log", "transform", "http-request"];

function randomValue(random: Random): Json {
  const nested = (): Json => ({ x: Math.floor(random() * 4), y: pick(random, ["p", "q"]) });
  return pick<() => Json>(random, [
    () => Math.floor(random() * 5),
    () => pick(random, ["u", "v", "w"]),
    nested,
    () => [1, 2],
  ])();
}

function randomConfig(random: Random): JsonObject {
  const keys = ["url", "method", "body", "retry"].filter(() => random() < 0.6);
  return Object.fromEntries(keys.map((key) => [key, randomValue(random)]));
}

function randomNode(random: Random, id: string): FlowNode {
  return { id, type: pick(random, types), name: id, position: { x: 0, y: 0 }, config: randomConfig(random) };
}

function randomEdge(random: Random, nodes: readonly FlowNode[]): FlowEdge {
  const source = random() < 0.2 ? "trigger" : pick(random, nodes).id;
  const handle = pick(random, [undefined, undefined, "true", "error"]);
  return { source, target: pick(random, nodes).id, ...(handle === undefined ? {} : { sourceHandle: handle }) };
}

const edgeKey = ({ source, sourceHandle, target }: FlowEdge) => JSON.stringify([source, sourceHandle ?? null, target]);

export function randomFlow(random: Random): FlowDocument {
  const nodes = ids.slice(0, 3 + Math.floor(random() * 4)).map((id) => randomNode(random, id));
  const edges = new Map(
    Array.from({ length: 6 }, () => randomEdge(random, nodes)).map((edge) => [edgeKey(edge), edge]),
  );
  const variables = { rate: 1, name: "n", deep: { a: 1, b: 2 } };
  const flow = { name: "F", description: "D", trigger: { type: "manual" as const, config: { x: 1 } } };
  return {
    version: "1.0.0",
    flow: { ...flow, nodes, edges: [...edges.values()], variables, settings: { timeoutMs: 1000 } },
  };
}

/** The document with this many random changes. */
export function changed(random: Random, document: FlowDocument, changes: number): FlowDocument {
  const flow = structuredClone(document.flow) as {
    -readonly [Key in keyof FlowDocument["flow"]]: FlowDocument["flow"][Key];
  };
  for (let count = 0; count < changes; count += 1) pick(random, kinds)(random, flow);
  return { ...document, flow };
}

type Flow = { -readonly [Key in keyof FlowDocument["flow"]]: FlowDocument["flow"][Key] };
const kinds: readonly ((random: Random, flow: Flow) => void)[] = [
  (random, flow) => {
    const id = pick(random, ids);
    if (!flow.nodes.some((node) => node.id === id)) flow.nodes = [...flow.nodes, randomNode(random, id)];
  },
  (random, flow) => {
    if (flow.nodes.length < 2) return;
    const { id } = pick(random, flow.nodes);
    flow.nodes = flow.nodes.filter((node) => node.id !== id);
    flow.edges = flow.edges.filter((edge) => edge.source !== id && edge.target !== id);
  },
  (random, flow) => changeNode(random, flow, (node) => ({ ...node, name: pick(random, ["N", "M", node.id]) })),
  (random, flow) => changeNode(random, flow, (node) => ({ ...node, type: pick(random, types) })),
  (random, flow) => changeNode(random, flow, (node) => ({ ...node, position: { x: Math.floor(random() * 99), y: 1 } })),
  ...Array.from(
    { length: 3 },
    () => (random: Random, flow: Flow) => changeNode(random, flow, (node) => reconfigured(random, node)),
  ),
  (random, flow) => {
    const edge = randomEdge(random, flow.nodes);
    if (!flow.edges.some((existing) => edgeKey(existing) === edgeKey(edge))) flow.edges = [...flow.edges, edge];
  },
  (random, flow) => {
    const removed = pick(random, flow.edges);
    flow.edges = flow.edges.filter((edge) => edge !== removed);
  },
  (random, flow) => {
    flow.edges = flow.edges.map((edge) => (random() < 0.3 ? { ...edge, label: pick(random, ["yes", "no"]) } : edge));
  },
  (random, flow) => {
    flow.edges = flow.edges.toSorted(() => random() - 0.5);
  },
  (random, flow) => {
    flow.variables = { ...flow.variables, [pick(random, ["rate", "name", "new"])]: randomValue(random) };
  },
  (random, flow) => {
    flow.name = pick(random, ["F", "G", "H"]);
  },
  (random, flow) => {
    flow.settings = { timeoutMs: pick(random, [1000, 2000]), ...(random() < 0.5 ? { retentionDays: 3 } : {}) };
  },
];

function changeNode(random: Random, flow: Flow, change: (node: FlowNode) => FlowNode): void {
  const chosen = pick(random, flow.nodes);
  flow.nodes = flow.nodes.map((node) => (node === chosen ? change(node) : node));
}

function reconfigured(random: Random, node: FlowNode): FlowNode {
  const key = pick(random, ["url", "method", "body", "retry"]);
  const { [key]: _, ...others } = node.config;
  return { ...node, config: random() < 0.25 ? others : { ...others, [key]: randomValue(random) } };
}

/** All of a flow's values by path: `nodes.a.config.url` and so on. Without card positions. */
function factsOf({ flow }: FlowDocument): Map<string, string> {
  const facts = new Map<string, string>();
  const put = (path: string, value: unknown): void => {
    if (isJsonObject(value)) {
      facts.set(path, "{}");
      for (const [key, item] of Object.entries(value)) put(`${path}.${key}`, item);
    } else if (value !== undefined) facts.set(path, JSON.stringify(value));
  };
  for (const { position: _, id, ...node } of flow.nodes) put(`nodes.${id}`, node);
  for (const edge of flow.edges) {
    facts.set(`edges ${edgeKey(edge)}`, "there");
    if (edge.label != null) facts.set(`edges ${edgeKey(edge)} label`, edge.label);
  }
  put("variables", flow.variables);
  put("settings", flow.settings);
  put("name", flow.name);
  return facts;
}

/** One side's changes that are neither in the merged flow nor reported as conflicts. */
export function lostChanges(base: FlowDocument, ours: FlowDocument, theirs: FlowDocument, made: MergedFlows): string[] {
  const [old, mine, other, merged] = [factsOf(base), factsOf(ours), factsOf(theirs), factsOf(made.merged)];
  const conflictPaths = made.conflicts.map(({ path }) => (path.startsWith("edges") ? "edges" : path));
  return [...new Set([...old.keys(), ...mine.keys(), ...other.keys(), ...merged.keys()])].filter((path) => {
    const [was, own, others, is] = [old.get(path), mine.get(path), other.get(path), merged.get(path)];
    const expected = own === others || others === was ? own : own === was ? others : Symbol("conflict");
    return (
      expected !== is && !conflictPaths.some((conflictPath) => covers(conflictPath, path) || covers(path, conflictPath))
    );
  });
}

function covers(conflictPaths: string, path: string): boolean {
  return path === conflictPaths || path.startsWith(`${conflictPaths}.`) || path.startsWith(`${conflictPaths} `);
}
