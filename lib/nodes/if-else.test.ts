import { expect, test } from "vitest";
import { ifElse } from "./if-else.ts";
import { findConfigProblems } from "./registry.ts";
import { asNode, runNodeAlone } from "./testing/run-alone.ts";

const run = (condition: unknown) => runNodeAlone(asNode(ifElse), { condition });

test.each([true, 1, "false", "0", [], {}, -1])("%j holds", async (condition) => {
  expect(await run(condition)).toMatchObject({ output: { result: true, branch: "true" }, handle: "true" });
});

test.each([false, 0, null, ""])("%j is false", async (condition) => {
  expect(await run(condition)).toMatchObject({ output: { result: false, branch: "false" }, handle: "false" });
});

test("a condition is required, and must parse", () => {
  expect(findConfigProblems("if-else", {})).toEqual([{ path: "condition", message: "is required" }]);
  expect(findConfigProblems("if-else", { condition: "" })).toEqual([
    { path: "condition", message: "there is no expression (at 0)" },
  ]);
  expect(findConfigProblems("if-else", { condition: "$trigger." })).toEqual([
    { path: "condition", message: "unexpected token (at 9)" },
  ]);
  expect(findConfigProblems("if-else", { condition: "$trigger.body.ok" })).toEqual([]);
});
