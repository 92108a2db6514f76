import { describe, expect, test } from "vitest";
import { merge } from "./merge.ts";
import { asNode, runNodeAlone } from "./testing/run-alone.ts";

const inputs = [
  { nodeId: "price", output: { net: 5 } },
  { nodeId: "__proto__", output: [1] },
  { nodeId: "nothing", output: null },
];
const run = async (mode: string | undefined, given = inputs) =>
  (await runNodeAlone(asNode(merge), mode === undefined ? {} : { mode }, null, { inputs: () => given })).output;

describe("a merge", () => {
  // Proves nodes.merge
  test("makes an object keyed by node id, whatever the ids are", async () => {
    expect(JSON.stringify(await run("object"))).toBe('{"price":{"net":5},"__proto__":[1],"nothing":null}');
    expect(await run(undefined, [])).toEqual({});
  });

  // Proves nodes.merge
  test("makes an array in the order of the edges", async () => {
    expect(await run("array")).toEqual([{ net: 5 }, [1], null]);
    expect(await run("array", [])).toEqual([]);
  });

  // Proves nodes.merge
  test("takes the first available", async () => {
    expect(await run("first")).toEqual({ net: 5 });
    expect(await run("first", [])).toBeNull();
  });

  test("has no other mode", () => {
    expect(merge.config.safeParse({ mode: "last" }).success).toBe(false);
  });
});
