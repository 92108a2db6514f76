import { expect, test } from "vitest";
import type { FlowNode } from "#lib/engine/flow.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { diffFlows } from "./diff-flows.ts";
import type { FlowDocument } from "./flow-document.ts";
import { mergeFlows } from "./merge-flows.ts";
import { changed, lostChanges, randomFlow, randomOf } from "./testing/random-merges.ts";

function node(id: string, config: JsonObject = {}, x = 0, type = "log"): FlowNode {
  return { id, type, name: id, position: { x, y: 0 }, config };
}

/** Edges as `a -> b` or `a:true -> b`. */
function flow(nodes: FlowNode[], arrows: string[] = [], overrides: Partial<FlowDocument["flow"]> = {}): FlowDocument {
  const edges = arrows.map((arrow) => {
    const [from = "", target = ""] = arrow.split(" -> ");
    const [source = "", handle] = from.split(":");
    return { source, target, ...(handle === undefined ? {} : { sourceHandle: handle }) };
  });
  const trigger = { type: "manual" as const, config: {} };
  return { version: "1.0.0", flow: { name: "F", description: null, trigger, nodes, edges, ...overrides } };
}

const arrowsOf = ({ flow: { edges } }: FlowDocument) => edges.map(({ source, target }) => `${source} -> ${target}`);
const pathsOf = ({ conflicts }: ReturnType<typeof mergeFlows>) => conflicts.map(({ path }) => path);

test("10,000 random merges lose no change silently", () => {
  const lost: [number, string[]][] = [];
  for (let seed = 0; seed < 10_000; seed += 1) {
    const random = randomOf(seed);
    const base = randomFlow(random);
    const ours = changed(random, base, 1 + Math.floor(random() * 4));
    const theirs = changed(random, base, 1 + Math.floor(random() * 4));
    const paths = lostChanges(base, ours, theirs, mergeFlows(base, ours, theirs));
    if (paths.length > 0) lost.push([seed, paths]);
  }
  expect(lost).toEqual([]);
});

test("the model notices lost changes", () => {
  const random = randomOf(1);
  const base = randomFlow(random);
  const theirs = { ...base, flow: { ...base.flow, variables: { rate: 2 } } };
  expect(lostChanges(base, base, theirs, { merged: base, conflicts: [] })).toContain("variables.rate");
});

test("different fields of one node are merged, and a field that both changed is a conflict", () => {
  const base = flow([node("a", { url: "u", method: "m", retry: { times: 1, delay: 1 } })]);
  const ours = flow([node("a", { url: "u2", method: "m", retry: { times: 2, delay: 1 } }, 5)]);
  const theirs = flow([node("a", { url: "u", method: "m2", retry: { times: 1, delay: 2 } }, 9)]);
  const { merged, conflicts } = mergeFlows(base, ours, theirs);
  expect(conflicts).toEqual([]);
  expect(merged.flow.nodes).toEqual([node("a", { url: "u2", method: "m2", retry: { times: 2, delay: 2 } }, 5)]);
  const other = flow([node("a", { url: "u3", method: "m", retry: { times: 1, delay: 1 } })]);
  expect(mergeFlows(base, ours, other).conflicts).toEqual([
    { path: "nodes.a.config.url", what: "a: config.url", base: "u", ours: "u2", theirs: "u3" },
  ]);
});

test("a changed type and a changed setting of the old type conflict", () => {
  const base = flow([node("a", { url: "u" })]);
  const ours = flow([node("a", { message: "hello" }, 0, "http-request")]);
  expect(pathsOf(mergeFlows(base, ours, flow([node("a", { url: "u", method: "m" })])))).toEqual(["nodes.a"]);
});

test("a node that one side removed and the other only moved is removed; a changed one is a conflict", () => {
  const base = flow([node("a"), node("b", { m: 1 })]);
  const withoutB = flow([node("a")]);
  expect(mergeFlows(base, withoutB, flow([node("a"), node("b", { m: 1 }, 7)]))).toMatchObject({
    conflicts: [],
    merged: withoutB,
  });
  expect(pathsOf(mergeFlows(base, withoutB, flow([node("a"), node("b", { m: 2 })])))).toEqual(["nodes.b"]);
  expect(pathsOf(mergeFlows(base, flow([node("a"), node("b", { m: 2 })]), withoutB))).toEqual(["nodes.b"]);
});

test("an edge to a node that the other side removed is a conflict, in a loop too", () => {
  const nodes = [node("a"), node("b"), node("c")];
  const base = flow(nodes, ["a -> b"]);
  const removed = flow([node("a"), node("b")], ["a -> b"]);
  expect(pathsOf(mergeFlows(base, removed, flow(nodes, ["a -> b", "b -> c"])))).toEqual(['edges["b→c"]']);
  const loop = (ids: string[], arrows: string[]) => {
    const { flow: inner } = flow(
      ids.map((id) => node(id)),
      arrows,
    );
    return flow([
      node("each", { body: { nodes: inner.nodes, edges: inner.edges } as unknown as JsonObject }, 0, "loop"),
    ]);
  };
  const conflicts = pathsOf(mergeFlows(loop(["a", "b"], []), loop(["a"], []), loop(["a", "b"], ["a -> b"])));
  expect(conflicts).toEqual(['nodes.each.body.edges["a→b"]']);
});

test("the order of edges comes from the side that changed it", () => {
  const nodes = [node("a"), node("b"), node("c"), node("d")];
  const base = flow(nodes, ["a -> b", "a -> c", "a -> d"]);
  const theirs = flow(nodes, ["a -> c", "a -> b", "a -> d"]);
  const ours = flow(nodes, ["a -> b", "a -> c", "a -> d", "b -> d"]);
  const { merged, conflicts } = mergeFlows(base, ours, theirs);
  expect(conflicts).toEqual([]);
  expect(arrowsOf(merged).filter((arrow) => arrow.startsWith("a"))).toEqual(arrowsOf(theirs));
  expect(arrowsOf(merged)).toContain("b -> d");
  const other = flow(nodes, ["a -> d", "a -> b", "a -> c"]);
  expect(pathsOf(mergeFlows(base, theirs, other))).toEqual(["edges"]);
});

test("tests, variables, settings and the description are merged separately", () => {
  const trial = {
    trigger: { body: {}, headers: {}, query: {}, method: "POST" },
    recordings: {},
    expect: { status: "completed" as const },
  };
  const base: FlowDocument = {
    ...flow([node("a")], [], { variables: { a: 1, b: 1 } }),
    tests: [{ name: "T", ...trial }],
  };
  const ours: FlowDocument = { ...flow([node("a")], [], { variables: { a: 2, b: 1 }, description: "D" }), tests: [] };
  const theirs: FlowDocument = {
    ...flow([node("a")], [], { variables: { a: 1, b: 2 }, settings: { timeoutMs: 5 } }),
    tests: [
      { name: "T", ...trial },
      { name: "U", ...trial },
    ],
  };
  const { merged, conflicts } = mergeFlows(base, ours, theirs);
  expect(conflicts).toEqual([]);
  expect(merged.tests?.map(({ name }) => name)).toEqual(["U"]);
  expect(merged.flow).toMatchObject({ variables: { a: 2, b: 2 }, settings: { timeoutMs: 5 }, description: "D" });
});

test("a difference has its path and both values; moved cards and reordered nodes are not differences", () => {
  const loop = (times: number) =>
    node("each", { body: { nodes: [{ id: "ship", type: "log", config: { times } }] } }, 0, "loop");
  const before = flow([node("a", { url: "u" }), node("b"), loop(1)], ["a -> b"], { variables: { rate: 1 } });
  const after = flow([loop(2), node("a", { url: "v" }, 90), node("c")], ["a:error -> c"], { variables: { rate: 2 } });
  expect(
    diffFlows(before, after).map(({ kind, path, before, after }) => [kind, path, plain(before), plain(after)]),
  ).toEqual([
    ["changed", "nodes.each.body.nodes.ship.config.times", 1, 2],
    ["changed", "nodes.a.config.url", "u", "v"],
    ["added", "nodes.c", undefined, "c"],
    ["removed", "nodes.b", "b", undefined],
    ["added", "edges", undefined, "a (error) → c"],
    ["removed", "edges", "a → b", undefined],
    ["changed", "variables.rate", 1, 2],
  ]);
  const moved = flow([loop(1), node("b", {}, 4), node("a", { url: "u" }, 9)], ["a -> b"], { variables: { rate: 1 } });
  expect(diffFlows(before, moved)).toEqual([]);
});

function plain(value: unknown): unknown {
  return isJsonObject(value) ? value.id : value;
}
