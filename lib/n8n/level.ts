import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import { buildNode } from "./build-node.ts";
import { type Built, isThere, type Out, outputOf } from "./built.ts";
import type { Link, N8nNode } from "./document.ts";
import { whyNotConverted } from "./expressions/read-value.ts";
import { bodyOf, orderOf } from "./graph.ts";
import { areExclusive, joinInputs, sharedDecisions } from "./inputs.ts";
import { buildLoop } from "./loop.ts";
import { isLoop } from "./nodes/all.ts";
import type { Gaps, Ids } from "./report.ts";
import type { Reading, Source } from "./source.ts";
import { stopAtCycle, stopInPlaceOf } from "./stop-nodes.ts";

/** The state of one document's conversion. */
export interface Work {
  readonly nodes: ReadonlyMap<string, N8nNode>;
  readonly gaps: Gaps;
  readonly ids: Ids;
  /** The flow's node ids, by n8n's node names. */
  readonly idOf: ReadonlyMap<string, string>;
  readonly waitId: string | null;
  note: Reading["note"];
  /** Counts created nodes. Throws N8nDocumentError if there are too many for a flow. */
  grow(made: readonly FlowNode[]): void;
  /** Counts a converted node. */
  count(): void;
  /** Yields to the event loop, if the caller has others to serve. */
  pause(): Promise<void> | undefined;
}

/** A graph to build: the flow's, or a loop's body. */
export interface Level {
  readonly nodes: FlowNode[];
  readonly edges: FlowEdge[];
  /** The exits of each converted node. */
  readonly outs: Map<string, readonly Out[]>;
  /** The readable data of nodes, by name. */
  readonly sources: Map<string, Source>;
  /** The nodes before each. */
  readonly before: Map<string, ReadonlySet<string>>;
}

export interface LevelRequest {
  readonly members: readonly string[];
  readonly links: readonly Link[];
  /** The start of the graph, by the nodes that it leads to. */
  readonly starts: ReadonlyMap<string, Out>;
  /** Data that can be read from outside the graph. */
  of(name: string): Source | string;
  readonly index: string;
  readonly line: symbol | undefined;
}

/** Converts the nodes of a graph in topological order. */
export async function convertLevel(work: Work, request: LevelRequest): Promise<Level> {
  const level: Level = { nodes: [], edges: [], outs: new Map(), sources: new Map(), before: new Map() };
  const bodies = loopsIn(work, request);
  const inBodies = new Set([...bodies.values()].flatMap((body) => [...body]));
  const members = request.members.filter((name) => !inBodies.has(name));
  const own = new Set(members);
  const links = request.links.filter(({ source, target }) => own.has(source) && own.has(target));
  reportCrossings(work, request, bodies, own);
  const { order, back } = orderOf(members, links);
  const into = Map.groupBy(
    links.filter((link) => !back.has(link)),
    ({ target }) => target,
  );
  const used = Map.groupBy(links, ({ source }) => source);
  for (const name of order) {
    const node = work.nodes.get(name);
    if (node === undefined) continue;
    const arriving = arrivingAt(level, request, name, into.get(name) ?? []);
    const sources = (into.get(name) ?? []).map(({ source }) => source);
    level.before.set(name, new Set(sources.flatMap((source) => [source, ...(level.before.get(source) ?? [])])));
    const outputs = new Set((used.get(name) ?? []).map(({ output }) => output));
    await convertOne(work, request, level, { node, arriving, outputsUsed: outputs, body: bodies.get(name) });
    await work.pause();
  }
  for (const link of back) stopAtCycle(work, level, link);
  return level;
}

/** The bodies of the outermost loops. */
function loopsIn(work: Work, { members, links }: LevelRequest): ReadonlyMap<string, ReadonlySet<string>> {
  const own = new Set(members);
  const inside = links.filter(({ source, target }) => own.has(source) && own.has(target));
  const bodies = new Map<string, ReadonlySet<string>>();
  const taken = new Set<string>();
  const loops = members.filter((name) => isLoopAt(work, name));
  if (loops.length === 0) return bodies;
  for (const name of orderOf(members, inside).order) {
    const node = work.nodes.get(name);
    if (node === undefined || taken.has(name) || !isLoopAt(work, name)) continue;
    const body = new Set(
      [...bodyOf(name, loopOutput(node), inside)].filter((member) => !taken.has(member) && member !== name),
    );
    for (const member of body) {
      taken.add(member);
      // A loop found earlier is inside this one.
      bodies.delete(member);
    }
    bodies.set(name, body);
  }
  return bodies;
}

const isLoopAt = ({ nodes }: Work, name: string) => {
  const node = nodes.get(name);
  return node !== undefined && isLoop(node);
};

/** The output for a batch's items: the second in later versions of the node. */
export const loopOutput = ({ version }: N8nNode) => (version >= 3 ? 1 : 0);

/** Reports connections into or out of a loop's body that do not go through the loop. */
function reportCrossings(
  work: Work,
  { links }: LevelRequest,
  bodies: ReadonlyMap<string, ReadonlySet<string>>,
  own: ReadonlySet<string>,
): void {
  const bodyAt = new Map([...bodies].flatMap(([loop, body]) => [...body].map((name) => [name, loop] as const)));
  for (const { source, target } of links) {
    const [from, to] = [bodyAt.get(source), bodyAt.get(target)];
    if (from === to || (from === undefined && source === to) || (to === undefined && target === from)) continue;
    if ((from === undefined && !own.has(source)) || (to === undefined && !own.has(target))) continue;
    const node = work.nodes.get(source);
    const where = from === undefined ? "leads into the middle of a loop" : "leads out of a loop that continues";
    if (node !== undefined) {
      work.gaps.add(
        node,
        work.idOf.get(source) ?? null,
        `The connection to “${target.slice(0, 100)}” ${where}: it is left out.`,
      );
    }
  }
}

function arrivingAt(
  level: Level,
  { starts }: LevelRequest,
  name: string,
  links: readonly Link[],
): ReadonlyMap<number, readonly Out[]> {
  const inputs = new Map<number, Out[]>();
  const start = starts.get(name);
  if (start !== undefined) inputs.set(0, [start]);
  for (const { source, output, input } of links) {
    const outs = level.outs.get(source);
    const out = outs?.[output] ?? outs?.[0];
    if (out !== undefined) inputs.set(input, [...(inputs.get(input) ?? []), out]);
  }
  return new Map([...inputs].sort(([a], [b]) => a - b));
}

/** What the node's expressions can read. */
function readingAt({ waitId, note }: Work, { index, line, of }: LevelRequest, level: Level, node: N8nNode) {
  const before = level.before.get(node.name) ?? new Set();
  const [nearest = null] = before;
  return {
    ...{ index, line, waitId, before: nearest, note },
    of: (name: string): Source | string => {
      const source = level.sources.get(name);
      if (source === undefined) return of(name);
      return before.has(name) ? source : `“${name.slice(0, 100)}”, which is not before this node`;
    },
  };
}

interface NodeOfLevel {
  readonly node: N8nNode;
  /** What leads to it, by the number of its input. */
  readonly arriving: ReadonlyMap<number, readonly Out[]>;
  readonly outputsUsed: ReadonlySet<number>;
  /** Of a loop: the nodes of its body. */
  readonly body: ReadonlySet<string> | undefined;
}

async function convertOne(
  work: Work,
  request: LevelRequest,
  level: Level,
  { node, arriving, outputsUsed, body }: NodeOfLevel,
): Promise<void> {
  const id = work.idOf.get(node.name) ?? work.ids.of(node.name);
  const all = [...arriving.values()].flat();
  const gap = (reason: string) => work.gaps.add(node, id, reason);
  const reading = readingAt(work, request, level, node);
  const isJoin = arriving.size > 1;
  const inputs =
    isJoin && areExclusive(all)
      ? [joinInputs(work, level, node, all)]
      : [...arriving.values()].map((outs) => joinInputs(work, level, node, outs));
  const site = {
    id,
    reading,
    inputs: inputs.map(({ source }) => source),
    outputsUsed,
    newId: (name: string) => work.ids.of(name),
    gap,
    credential: (type: string) => work.gaps.credential(node, id, type),
  };
  let built: Built;
  try {
    built = body === undefined ? buildNode(node, site) : await buildLoop(work, request, node, site, body);
    work.count();
  } catch (error) {
    built = stopInPlaceOf(node, id, whyNotConverted(error), site.inputs[0]);
    gap(`It is not converted: ${whyNotConverted(error)}. A stop takes its place and describes the original.`);
  }
  if (node.alwaysGives && built.isStop !== true && built.outs.some(({ source }) => source.shape === "list")) {
    gap("Without items, n8n continues with an empty one. This flow does not.");
  }
  built = withSettings(node, built, site.inputs[0]);
  work.grow(built.nodes);
  level.nodes.push(...built.nodes);
  level.edges.push(...built.edges);
  for (const { from, handle } of inputs.flatMap(({ edges }) => edges)) {
    if (from === null) continue;
    for (const target of built.entries) {
      level.edges.push({ source: from, target, ...(handle === null ? {} : { sourceHandle: handle }) });
    }
  }
  const when = sharedDecisions(all.map((out) => out.when));
  const errorAt = regularOutputs(node, built, outputsUsed);
  const outs = built.outs.map((out, index) => ({
    ...out,
    when: built.decides || (node.onError === "branch" && errorAt !== null) ? new Map([...when, [id, index]]) : when,
  }));
  if (node.onError === "branch" && errorAt !== null) {
    const source: Source = { shape: "one", json: outputOf(id), isThere: `(${outputOf(id)}?.error !== undefined)` };
    outs[errorAt] = { from: id, handle: "error", source, when: new Map([...when, [id, errorAt]]) };
  }
  level.outs.set(node.name, outs);
  const [first] = outs;
  if (first !== undefined)
    level.sources.set(node.name, built.decides ? { ...first.source, isThere: isThere(id) } : first.source);
}

/** The index of the error exit: after the others. */
function regularOutputs(node: N8nNode, built: Built, used: ReadonlySet<number>): number | null {
  if (node.onError !== "branch" || built.isStop === true) return null;
  const at = Math.max(1, built.outs.length);
  return used.has(at) ? at : null;
}

/** Settings that every node may have. */
function withSettings(node: N8nNode, built: Built, input: Source | undefined): Built {
  const [main, ...others] = built.nodes;
  if (main === undefined) return built;
  if (node.disabled) {
    const outs = input === undefined ? built.outs : [{ from: main.id, handle: null, source: input }];
    return { nodes: [{ ...main, disabled: true }], edges: [], entries: [main.id], outs, decides: false };
  }
  if (node.onError !== "continue" || built.isStop === true) return built;
  const output = outputOf(main.id);
  // Here, a failure is part of the node's output instead of replacing its data.
  const outs = built.outs.map((out) => {
    const { shape, json } = out.source;
    if (shape === "list" || json === output || !json.includes(output)) return out;
    return { ...out, source: { ...out.source, json: `(${output}.error === undefined ? ${json} : ${output})` } };
  });
  return { ...built, outs, nodes: [{ ...main, config: { ...main.config, onError: "continue" } }, ...others] };
}
