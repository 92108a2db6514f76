import { expect, test } from "vitest";
import { mergeDrafts } from "#lib/engine/changes/merge-drafts.ts";
import { draftOf, nodeOf } from "../testing/draft-of.ts";

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
  const prefer = (what: string) => (what === "a" ? ("theirs" as const) : ("mine" as const));
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
  expect(clashes).toEqual([{ what: "The pinned output of a", mine: 2, theirs: 3 }]);
});
