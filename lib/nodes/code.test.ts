import { expect, test } from "vitest";
import { code } from "./code.ts";
import { findConfigProblems, planNodeConfig } from "./registry.ts";
import { asNode, runNodeAlone } from "./testing/run-alone.ts";

// Proves nodes.code
test("has its code evaluated within its time limit, and returns the result", async () => {
  const calls: [string, number][] = [];
  const evaluate = async (source: string, timeoutMs: number) => {
    calls.push([source, timeoutMs]);
    return { sum: 3 };
  };
  const run = (config: object) => runNodeAlone(asNode(code), config, null, { evaluate });
  expect((await run({ code: "return 1 + 2" })).output).toEqual({ sum: 3 });
  await run({ code: "return 1", timeoutMs: 5 });
  expect(calls).toEqual([
    ["return 1 + 2", 10_000],
    ["return 1", 5],
  ]);
});

test("its failure is the node's", async () => {
  const evaluate = () => Promise.reject(new Error("it broke"));
  await expect(runNodeAlone(asNode(code), { code: "return 1" }, null, { evaluate })).rejects.toThrow("it broke");
});

test("braces in code are code, not templates", () => {
  expect(planNodeConfig("code", { code: "const a = {{ $vars.a }};" })).toMatchObject({
    slots: [],
    problems: [{ path: "code" }],
  });
  expect(planNodeConfig("code", { code: "return '{{ x }}'" })).toMatchObject({ slots: [], problems: [] });
});

test.each<[object, string]>([
  [{}, "code"],
  [{ code: "" }, "code"],
  [{ code: 3 }, "code"],
  [{ code: "return (" }, "code"],
  [{ code: "return 1", timeoutMs: 0 }, "timeoutMs"],
  [{ code: "return 1", timeoutMs: 60_001 }, "timeoutMs"],
  [{ code: "return 1", timeoutMs: 1.5 }, "timeoutMs"],
])("%j is refused", (config, path) => {
  expect(findConfigProblems("code", config as never).map((problem) => problem.path)).toContain(path);
});
