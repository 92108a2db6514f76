import { describe, expect, test } from "vitest";
import { loop } from "./loop.ts";
import { findConfigProblems } from "./registry.ts";
import { asNode, beginNodeAlone } from "./testing/run-alone.ts";

const body = { nodes: [], edges: [] };
const begin = async (config: object, input: unknown = null) =>
  (await beginNodeAlone(asNode(loop), { body, ...config }, input)).begun;

describe("a loop", () => {
  test("runs for the given items, one after the other, and fails with the first that fails", async () => {
    expect(await begin({ items: [1, null] })).toEqual({
      status: "iterating",
      items: [1, null],
      concurrency: 1,
      onItemError: "stop",
    });
  });

  test("runs for its input by default", async () => {
    expect(await begin({ concurrency: 3, onItemError: "collect" }, ["a"])).toMatchObject({
      items: ["a"],
      concurrency: 3,
      onItemError: "collect",
    });
  });

  test.each([[{ a: 1 }], ["ab"], [5], [null]])("fails without a list: %j", async (items) => {
    await expect(begin({ items }, ["a"])).rejects.toMatchObject({ code: "INVALID_CONFIG", field: "items" });
  });

  // Proves nodes.loop-errors
  test("fails with more items than allowed", async () => {
    await expect(begin({ items: [1, 2, 3], maxItems: 2 })).rejects.toMatchObject({ code: "TOO_MANY_ITEMS" });
    expect(await begin({ items: [1, 2], maxItems: 2 })).toMatchObject({ items: [1, 2] });
    await expect(begin({ items: Array(1_001).fill(0) })).rejects.toMatchObject({ code: "TOO_MANY_ITEMS" });
  });

  test("needs a body or a flow", () => {
    expect(findConfigProblems("loop", { items: "[]" })).toEqual([
      { path: "body", message: "is required, unless flowId is given" },
    ]);
    expect(findConfigProblems("loop", { flowId: "flow_1" })).toEqual([]);
  });

  test("leaves its body's configs to the nodes in it", () => {
    const nodes = [{ id: "a", type: "log", config: { message: "{{ not an expression" } }];
    expect(findConfigProblems("loop", { items: "[]", body: { nodes, edges: [] } })).toEqual([]);
  });
});
