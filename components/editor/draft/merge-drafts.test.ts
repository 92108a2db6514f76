import { expect, test } from "vitest";
import { configOf, readBody } from "#lib/engine/changes/body-parts.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { mergeDrafts as merge3, type Side } from "#lib/engine/changes/merge-drafts.ts";
import { freeKeys } from "#lib/engine/changes/merge-sides.ts";
import { nestingDepth } from "#lib/engine/json.ts";
import { draftOf, nodeOf } from "../testing/draft-of.ts";

const mergeDrafts = (old: FlowDraft, mine: FlowDraft, theirs: FlowDraft, prefer?: (key: string) => Side) =>
  merge3(old, mine, theirs, (type) => type === "loop", prefer);

const base = draftOf({
  nodes: [nodeOf("a"), nodeOf("b"), nodeOf("c")],
  edges: [
    { source: "a", target: "b" },
    { source: "b", target: "c" },
  ],
});
const withNode = (id: string, config: Record<string, string>) => ({
  ...base,
  nodes: base.nodes.map((node) => (node.id === id ? { ...node, config } : node)),
});

test("changes of different nodes are both kept, without a conflict", () => {
  const { draft, clashes } = mergeDrafts(
    base,
    withNode("a", { message: "mine" }),
    withNode("b", { message: "theirs" }),
  );
  expect(draft.nodes.map((node) => node.config.message)).toEqual(["mine", "theirs", undefined]);
  expect(clashes).toEqual([]);
});

test("the same node changed on both sides is a conflict that names it, and the preferred side wins", () => {
  const [mine, theirs] = [withNode("a", { message: "mine" }), withNode("a", { message: "theirs" })];
  const merge = mergeDrafts(base, mine, theirs);
  expect(merge.clashes.map((clash) => clash.what)).toEqual(["a"]);
  expect(merge.draft.nodes[0]?.config.message).toBe("mine");
  expect(mergeDrafts(base, mine, theirs, () => "theirs").draft.nodes[0]?.config.message).toBe("theirs");
});

test("each of several conflicts is resolved to its own preferred side", () => {
  const both = (message: string) => ({ ...withNode("a", { message }), name: message });
  const prefer = (key: string) => (key === "node a" ? ("theirs" as const) : ("mine" as const));
  const { draft } = mergeDrafts(base, both("mine"), both("theirs"), prefer);
  expect([draft.name, draft.nodes[0]?.config.message]).toEqual(["mine", "theirs"]);
});

test("the same change on both sides is no conflict", () => {
  expect(mergeDrafts(base, withNode("a", { message: "x" }), withNode("a", { message: "x" })).clashes).toEqual([]);
});

test("additions on either side stay, and removals on one side take their edges along", () => {
  const mine = { ...base, nodes: [...base.nodes, nodeOf("mine")] };
  const theirs = { ...base, nodes: [...base.nodes.filter((node) => node.id !== "c"), nodeOf("theirs")] };
  const { draft } = mergeDrafts(base, mine, theirs);
  expect(draft.nodes.map((node) => node.id)).toEqual(["a", "b", "mine", "theirs"]);
  expect(draft.edges.map((edge) => edge.target)).toEqual(["b"]);
});

test("a node changed here and removed there is a conflict", () => {
  const theirs = { ...base, nodes: base.nodes.filter((node) => node.id !== "a") };
  const { draft, clashes } = mergeDrafts(base, withNode("a", { message: "mine" }), theirs);
  expect(clashes).toHaveLength(1);
  expect(draft.nodes.map((node) => node.id)).toContain("a");
});

test("notes, samples, pinned outputs and variables of both sides are kept individually", () => {
  const note = (id: string, text: string) => ({ id, x: 0, y: 0, width: 240, height: 140, text, color: "yellow" });
  const start = { ...base, settings: { timeoutMs: 1_000, canvas: { notes: [note("n1", "old")] } } };
  const mine = {
    ...start,
    variables: { mine: 1 },
    settings: { timeoutMs: 1_000, canvas: { notes: [note("n1", "old"), note("n2", "mine")], pins: { a: 1 } } },
  };
  const theirs = {
    ...start,
    variables: { theirs: 2 },
    settings: {
      timeoutMs: 2_000,
      canvas: { notes: [note("n1", "new")], pins: { b: 2 }, samples: [{ name: "Large", data: {} }] },
    },
  };
  const { draft, clashes } = mergeDrafts(start, mine, theirs);
  expect(clashes).toEqual([]);
  expect(draft.variables).toEqual({ mine: 1, theirs: 2 });
  expect(draft.settings).toEqual({
    timeoutMs: 2_000,
    canvas: {
      notes: [note("n1", "new"), note("n2", "mine")],
      pins: { a: 1, b: 2 },
      samples: [{ name: "Large", data: {} }],
    },
  });
});

test("the same pinned output changed on both sides is a conflict that names it", () => {
  const pinned = (value: number) => ({ ...base, settings: { canvas: { pins: { a: value } } } });
  const { clashes } = mergeDrafts(pinned(1), pinned(2), pinned(3));
  expect(clashes).toMatchObject([{ what: "The pinned output of a", mine: 2, theirs: 3 }]);
});

const loopWith = (nodes: readonly object[], edges: readonly object[] = [], items = "$node.output") =>
  draftOf({
    nodes: [nodeOf("each", { type: "loop", config: JSON.parse(JSON.stringify({ items, body: { nodes, edges } })) })],
  });
const log = (id: string, message = "old") => ({ id, type: "log", config: { message } });

test("changes of different nodes in one loop's body are both kept, at any depth, without a conflict", () => {
  const inner = (message: string) => ({
    id: "inner",
    type: "loop",
    config: { body: { nodes: [log("deep", message)] } },
  });
  const start = loopWith([log("a"), log("b"), inner("old")], [{ source: "a", target: "b" }]);
  // An editor adds the ids, names and positions that were not given.
  const edited = [log("a", "mine"), log("b"), inner("old"), log("c")].map((node, index) => {
    return { ...node, name: node.id, position: { x: index * 300, y: 0 } };
  });
  const mine = loopWith(edited, [{ source: "a", target: "b", id: "a→b" }]);
  const theirs = loopWith([log("a"), inner("theirs")], [], "$vars.list");
  const { draft, clashes } = mergeDrafts(start, mine, theirs);
  expect(clashes).toEqual([]);
  expect(draft.nodes[0]?.config).toMatchObject({
    items: "$vars.list",
    body: { nodes: [log("a", "mine"), inner("theirs"), log("c")], edges: [] },
  });
});

test("the same node of a body changed on both sides is a conflict that names it", () => {
  const start = loopWith([log("a"), log("b")]);
  const [mine, theirs] = [loopWith([log("a", "mine"), log("b")]), loopWith([log("a", "theirs"), log("b", "new")])];
  const { draft, clashes } = mergeDrafts(start, mine, theirs);
  expect(clashes.map(({ what }) => what)).toEqual(["a"]);
  expect(draft.nodes[0]?.config.body).toMatchObject({ nodes: [log("a", "mine"), log("b", "new")], edges: [] });
});

test("notes in different loops are merged loop by loop", () => {
  const withNotes = (bodies: object) => ({ ...base, settings: { canvas: JSON.parse(JSON.stringify({ bodies })) } });
  const own = (id: string) => ({ notes: [{ id, text: id }], groups: [] });
  const { draft, clashes } = mergeDrafts(
    withNotes({ a: own("one") }),
    withNotes({ a: { notes: [...own("one").notes, ...own("two").notes], groups: [] } }),
    withNotes({ a: { notes: [], groups: [] }, b: own("three") }),
  );
  expect(clashes).toEqual([]);
  expect(draft.settings.canvas?.bodies).toEqual({ a: { ...own("two") }, b: own("three") });
});

test("a move in a body without stored places stays, whatever places the other side wrote down", () => {
  const at = (x: number, message: string) => ({ ...log("a", message), position: { x, y: 0 } });
  const { draft, clashes } = mergeDrafts(loopWith([log("a")]), loopWith([at(500, "old")]), loopWith([at(0, "new")]));
  expect(clashes).toEqual([]);
  expect(draft.nodes[0]?.config.body).toMatchObject({ nodes: [at(500, "new")] });
});

test("a node that both sides moved into different loops is a conflict, and is in one of them", () => {
  const loop = (id: string, inside: readonly string[]) => ({
    ...nodeOf(id),
    type: "loop",
    config: { body: { nodes: inside.map((id) => ({ id, type: "log", config: {} })), edges: [] } },
  });
  const flow = (free: readonly string[], first: readonly string[], second: readonly string[]) =>
    draftOf({ nodes: [...free.map((id) => nodeOf(id)), loop("one", first), loop("two", second)], edges: [] });
  const inside = (nodes: (typeof base)["nodes"], at: number) => [
    ...(readBody(configOf(nodes[at]).body)?.nodes.keys() ?? []),
  ];
  const old = flow(["log"], ["x"], ["y"]);
  const [mine, theirs] = [flow([], ["x", "log"], ["y"]), flow([], ["x"], ["y", "log"])];
  const merge = mergeDrafts(old, mine, theirs);
  expect(merge.clashes).toMatchObject([{ what: 'The level of "log"', mine: "one", theirs: "two" }]);
  expect([inside(merge.draft.nodes, 0), inside(merge.draft.nodes, 1)]).toEqual([["x", "log"], ["y"]]);
  const other = mergeDrafts(old, mine, theirs, () => "theirs").draft.nodes;
  expect([inside(other, 0), inside(other, 1)]).toEqual([["x"], ["y", "log"]]);
  // Moved here and changed there: both are kept.
  const changed = { ...old, nodes: old.nodes.map((node) => (node.id === "log" ? { ...node, name: "Changed" } : node)) };
  const both = mergeDrafts(old, mine, changed, () => "theirs");
  expect(both.clashes).toEqual([]);
  expect(inside(both.draft.nodes, 0)).toEqual(["x", "log"]);
  expect(readBody(configOf(both.draft.nodes[0]).body)?.nodes.get("log")?.name).toBe("Changed");
});

const idsOf = (nodes: Iterable<object>): string[] =>
  [...nodes].flatMap((node) => [
    String((node as { id: string }).id),
    ...idsOf(readBody(configOf(node as FlowDraft["nodes"][number]).body)?.nodes.values() ?? []),
  ]);
const loopOf = (id: string, ...inside: readonly object[]) =>
  nodeOf(id, { type: "loop", config: JSON.parse(JSON.stringify({ body: { nodes: inside, edges: [] } })) });
const sides = ["mine", "theirs"] as const;

test("loops that two people moved into each other both stay, whatever is preferred", () => {
  const old = draftOf({ nodes: [loopOf("one", log("x")), loopOf("two", log("y"))] });
  const mine = draftOf({ nodes: [loopOf("one", log("x"), loopOf("two", log("y")))] });
  const theirs = draftOf({ nodes: [loopOf("two", log("y"), loopOf("one", log("x")))] });
  for (const side of sides) {
    const { draft, clashes } = mergeDrafts(old, mine, theirs, () => side);
    expect(clashes).toMatchObject([{ what: 'The nesting of "one", "two"' }]);
    expect(draft.nodes.map(({ id }) => id)).toEqual([side === "mine" ? "one" : "two"]);
    expect(idsOf(draft.nodes).sort()).toEqual(["one", "two", "x", "y"]);
  }
});

test("a ring of three loops, made by both together, loses none of them", () => {
  const old = draftOf({ nodes: [loopOf("one"), loopOf("two"), loopOf("three", log("z"))] });
  const mine = draftOf({ nodes: [loopOf("one", loopOf("two")), loopOf("three", log("z"))] });
  const theirs = draftOf({ nodes: [loopOf("two", loopOf("three", log("z"), loopOf("one")))] });
  for (const side of sides) {
    const { draft } = mergeDrafts(old, mine, theirs, () => side);
    expect(idsOf(draft.nodes).sort()).toEqual(["one", "three", "two", "z"]);
  }
});

test("moves that would nest too deeply together lose no node, and stay within what can be stored", () => {
  const chain = (name: string, length: number, inside: readonly object[]): object => {
    let within = inside;
    for (let index = length - 1; index >= 0; index -= 1) within = [loopOf(`${name}${index}`, ...within)];
    return within[0] ?? {};
  };
  const drawn = (...nodes: readonly object[]) => draftOf({ nodes: JSON.parse(JSON.stringify(nodes)) });
  const old = drawn(chain("a", 7, [log("x")]), chain("b", 7, [log("y")]), loopOf("c"));
  // Eight and fourteen levels each; twenty-one together.
  const mine = drawn(chain("a", 7, [log("x"), loopOf("c")]), chain("b", 7, [log("y")]));
  const theirs = drawn(loopOf("c", chain("a", 7, [log("x")])), chain("b", 7, [log("y")]));
  const deeper = drawn(chain("a", 7, [log("x"), chain("b", 7, [log("y")])]), loopOf("c"));
  const added = drawn(chain("a", 7, [log("x")]), chain("b", 7, [log("y"), chain("d", 7, [log("z")])]), loopOf("c"));
  for (const [first, second] of [
    [mine, theirs],
    [deeper, added],
    [added, deeper],
  ] as const) {
    for (const side of sides) {
      const { draft } = mergeDrafts(old, first, second, () => side);
      const ids = new Set([...idsOf(first.nodes), ...idsOf(second.nodes)]);
      expect(idsOf(draft.nodes).sort()).toEqual([...ids].sort());
      const depths = [first, second, draft].map(({ nodes }) => nestingDepth({ definition: { nodes } }, 1_000));
      expect(depths[2]).toBeLessThanOrEqual(Math.max(64, ...depths.slice(0, 2)));
    }
  }
});

test("what was added to a loop stays in it where the other side moved the loop, and where it removed an unchanged one", () => {
  const old = draftOf({ nodes: [loopOf("one", log("x")), loopOf("two")] });
  const mine = draftOf({ nodes: [loopOf("one", log("x"), log("new")), loopOf("two")] });
  const moved = mergeDrafts(old, mine, draftOf({ nodes: [loopOf("two", loopOf("one", log("x")))] }));
  expect(moved.clashes).toEqual([]);
  expect(idsOf(moved.draft.nodes)).toEqual(["two", "one", "x", "new"]);
  const removed = draftOf({ nodes: [loopOf("two")] });
  const merged = mergeDrafts(old, mine, removed);
  expect(merged.clashes).toMatchObject([{ key: "node one", what: "one" }]);
  expect(idsOf(merged.draft.nodes)).toEqual(["one", "x", "new", "two"]);
  expect(idsOf(mergeDrafts(old, mine, removed, () => "theirs").draft.nodes)).toEqual(["two"]);
  expect(idsOf(mergeDrafts(old, old, removed).draft.nodes)).toEqual(["two"]);
});

test("a node moved out of a loop stays when the other side removes the loop, and one moved into it when this one does", () => {
  const old = draftOf({ nodes: [loopOf("one", log("x")), nodeOf("b")] });
  const out = draftOf({ nodes: [loopOf("one"), nodeOf("b"), nodeOf("x")] });
  const removed = draftOf({ nodes: [nodeOf("b")] });
  expect(idsOf(mergeDrafts(old, out, removed, () => "theirs").draft.nodes)).toContain("x");
  const into = draftOf({ nodes: [loopOf("one", log("x"), log("b"))] });
  for (const side of sides) expect(idsOf(mergeDrafts(old, removed, into, () => side).draft.nodes)).toContain("b");
});

test("two clashes of one name are two, distinguished by where they are", () => {
  const named = (message: string) =>
    draftOf({
      nodes: [nodeOf("a", { name: "Log", config: { message } }), loopOf("each", { ...log("b", message), name: "Log" })],
    });
  const [old, mine, theirs] = [named("old"), named("mine"), named("theirs")];
  const { clashes } = mergeDrafts(old, mine, theirs);
  expect(clashes.map(({ key, what }) => [key, what])).toEqual([
    ["node a", "Log (a)"],
    ["node b", "Log (each › b)"],
  ]);
  const { draft } = mergeDrafts(old, mine, theirs, (key) => (key === "node b" ? "theirs" : "mine"));
  expect(draft.nodes[0]?.config.message).toBe("mine");
  expect(draft.nodes[1]?.config.body).toMatchObject({ nodes: [{ config: { message: "theirs" } }] });
});

test("a request's body that looks like a graph is one setting", () => {
  const call = (message: string, other: string) =>
    draftOf({
      nodes: [
        nodeOf("call", { config: { body: { nodes: [log("a", message), log("b", other)], edges: [] } } as never }),
      ],
    });
  const { draft, clashes } = mergeDrafts(call("old", "old"), call("mine", "old"), call("old", "theirs"));
  expect(clashes).toMatchObject([{ key: "node call" }]);
  expect(draft.nodes[0]?.config).toEqual(call("mine", "old").nodes[0]?.config);
});

test("notes, and samples, of one name all stay", () => {
  const noted = (...texts: string[]) => ({
    ...base,
    settings: {
      canvas: { notes: texts.map((text) => ({ id: "n1", text })), samples: texts.map((data) => ({ name: "A", data })) },
    },
  });
  const { draft, clashes } = mergeDrafts(noted("a", "b"), noted("a", "b", "c"), noted("a", "new"));
  expect(clashes).toEqual([]);
  expect(draft.settings.canvas).toEqual(noted("a", "new", "c").settings.canvas);
});

test("ten thousand items of one name cost as much as others", () => {
  const taken = new Map<string, null>();
  let looked = 0;
  const has = (key: string) => {
    looked += 1;
    return taken.has(key);
  };
  const keyOf = freeKeys({ has } as unknown as ReadonlyMap<string, unknown>);
  for (let count = 0; count < 10_000; count += 1) taken.set(keyOf("n"), null);
  expect(taken.size).toBe(10_000);
  expect(looked).toBeLessThan(30_001);
});
