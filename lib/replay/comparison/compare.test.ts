import { describe, expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import type { Replayed } from "../replay.ts";
import type { ReplayedNode } from "../replayed-nodes.ts";
import { problemsMax, problemsOf } from "./compare.ts";

const nodeOf = (output: unknown, overrides: Partial<ReplayedNode> = {}): ReplayedNode => ({
  status: "completed",
  output,
  error: null,
  isRepeated: false,
  isOpen: false,
  ...overrides,
});
const replayed = (nodes: Record<string, ReplayedNode>, overrides: Partial<Replayed> = {}): Replayed => ({
  status: "completed",
  output: null,
  failure: null,
  notRecorded: [],
  isOpen: false,
  requests: new Map(),
  nodes: new Map(Object.entries(nodes)),
  parts: Object.keys(nodes).map((nodeId) => ({ nodeId, part: "whole", within: [] })),
  ...overrides,
});

describe("a test's expectation and its replay", () => {
  test("are equal if every value is", async () => {
    const actual = replayed({ a: nodeOf({ n: [1, { x: null }] }) }, { output: "done" });
    const nodes = { a: { status: "completed" as const, output: { n: [1, { x: null }] } } };
    expect(await problemsOf({ status: "completed", output: "done", nodes }, actual)).toEqual([]);
  });

  test("differ at a path, with the node and both values", async () => {
    const actual = replayed({ "a.b": nodeOf({ list: [1, { x: 3 }], more: true }) });
    const nodes = { "a.b": { output: { list: [1, { x: 2 }], gone: 1 } } };
    expect(await problemsOf({ status: "completed", nodes }, actual)).toEqual([
      { path: "nodes.a.b.output.list.1.x", nodeId: "a.b", message: "differs", expected: 2, actual: 3 },
      { path: "nodes.a.b.output.gone", nodeId: "a.b", message: "is missing", expected: 1, actual: null },
      { path: "nodes.a.b.output.more", nodeId: "a.b", message: "is not expected", expected: null, actual: true },
    ]);
  });

  test.each([["output.id"], ["output.*"], ["output"], ["*"]])("are equal if %s is ignored", async (pattern) => {
    const actual = replayed({}, { output: { id: 2 } });
    expect(await problemsOf({ status: "completed", output: { id: 1 }, ignore: [pattern] }, actual)).toEqual([]);
  });

  test("may be ignored in lists and below ids with dots", async () => {
    const actual = replayed({
      "a.b": nodeOf({
        list: [
          { at: 1, n: 1 },
          { at: 2, n: 9 },
        ],
      }),
    });
    const nodes = {
      "a.b": {
        output: {
          list: [
            { at: 0, n: 1 },
            { at: 0, n: 2 },
          ],
        },
      },
    };
    const ignore = ["nodes.a.b.output.list[*].at"];
    expect((await problemsOf({ status: "completed", nodes, ignore }, actual)).map(({ path }) => path)).toEqual([
      "nodes.a.b.output.list.1.n",
    ]);
  });

  test("a status differs with its reason, and missing recordings are reported too", async () => {
    const error = { code: "BROKEN", message: "it broke" };
    const failed = nodeOf(null, { status: "failed", error });
    const actual = replayed({ a: failed }, { status: "failed", failure: { nodeId: "a", error }, notRecorded: ["b"] });
    const found = await problemsOf({ status: "completed", nodes: { a: { status: "completed" }, gone: {} } }, actual);
    expect(found.map(({ path, nodeId }) => [path, nodeId])).toEqual([
      ["nodes.a.status", "a"],
      ["nodes.b", "b"],
      ["nodes.gone", "gone"],
      ["status", "a"],
    ]);
    expect(found[0]?.message).toContain("BROKEN: it broke");
    expect(found[1]?.message).toContain("NOT_RECORDED");
  });

  test("are listed up to a limit, and large values are truncated", async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => index);
    const actual = replayed({}, { output: many.map((n) => n + 1) });
    expect(await problemsOf({ status: "completed", output: many }, actual)).toHaveLength(problemsMax);
    const large = replayed({}, { output: "x".repeat(100_000) });
    const [problem] = await problemsOf({ status: "completed", output: "y" }, large);
    expect(String(problem?.actual).length).toBeLessThan(11_000);
  });

  test("a missing recording fails even a test that ignores everything", async () => {
    const found = await problemsOf(
      { status: "completed", ignore: ["*", "nodes.a"] },
      replayed({}, { notRecorded: ["a"] }),
    );
    expect(found.map(({ path }) => path)).toEqual(["nodes.a"]);
  });

  test("are compared without blocking the event loop, however many values and patterns there are", async () => {
    const many = () => Array.from({ length: 100_000 }, () => ({}));
    const ignore = Array.from({ length: 100 }, (_, index) => `output.*.${"x".repeat(900)}${index}`);
    let found: unknown;
    const [expected, got] = [many(), replayed({}, { output: many() })];
    const longest = await longestTurn(async () => {
      found = await problemsOf({ status: "completed", output: expected, ignore }, got);
    });
    expect(found).toEqual([]);
    expect(longest).toBeLessThan(100);
  });
});
