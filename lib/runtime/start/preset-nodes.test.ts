import { expect, test } from "vitest";
import { settleBranches } from "#lib/engine/branches.ts";
import { compileGraph } from "#lib/engine/compile.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import { partialRun } from "./preset-nodes.ts";

const node = (id: string, type = "log") => ({ id, type, name: id, position: { x: 0, y: 0 }, config: {} });
const nodes = [node("a"), node("check", "if-else"), node("b"), node("c")];
const edges = [
  { source: "a", target: "check" },
  { source: "check", target: "b", sourceHandle: "true" },
  { source: "check", target: "c", sourceHandle: "false" },
];
const graph = compileGraph({ nodes, edges }, settleBranches(nodes, edges, nodeTypes.traits), nodeTypes.traits);

test("a run to a node skips what does not lead there", () => {
  expect(partialRun(graph, "active", { untilNode: "b" })?.skipped).toEqual(["c"]);
  expect(partialRun(graph, "draft", { untilNode: "a" })?.skipped).toEqual(["check", "b", "c"]);
  expect(partialRun(graph, "draft", {})).toBeNull();
  expect(() => partialRun(graph, "draft", { untilNode: "nobody" })).toThrow("cannot be run like this");
});

test("outputs can be pinned in drafts only, and never for a node that chooses a branch", () => {
  expect(partialRun(graph, "draft", { pins: { a: { x: 1 } } })).toEqual({ skipped: [], pinned: { a: { x: 1 } } });
  for (const [status, pins] of [
    ["active", { a: 1 }],
    ["inactive", { a: 1 }],
    ["draft", { check: 1 }],
    ["draft", { nobody: 1 }],
  ] as const) {
    expect(() => partialRun(graph, status, { pins })).toThrow("cannot be run like this");
  }
});
