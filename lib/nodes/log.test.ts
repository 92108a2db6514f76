import { expect, test } from "vitest";
import { log } from "./log.ts";
import { findConfigProblems } from "./registry.ts";
import { asNode, runNodeAlone } from "./testing/run-alone.ts";

test("passes its input on, whatever it logs", async () => {
  for (const input of [{ a: 1 }, "text", null, [1]]) {
    expect((await runNodeAlone(asNode(log), { message: "hello" }, input)).output).toEqual(input);
  }
});

// Proves nodes.log
test("writes one entry, at level info by default", async () => {
  const { logs } = await runNodeAlone(asNode(log), { message: "hello", data: { a: 1 } });
  expect(logs).toEqual([{ level: "info", message: "hello", data: { a: 1 } }]);
  expect((await runNodeAlone(asNode(log), { level: "warning", message: "x" })).logs[0]?.level).toBe("warning");
});

test("shows a message that is not text as JSON", async () => {
  const messageOf = async (message: unknown) => (await runNodeAlone(asNode(log), { message })).logs[0]?.message;
  expect([await messageOf({ a: [1] }), await messageOf(3), await messageOf(null)]).toEqual(['{"a":[1]}', "3", "null"]);
});

test("logs its input, truncated, without a message", async () => {
  const messageOf = async (config: object, input: unknown) =>
    (await runNodeAlone(asNode(log), config, input)).logs[0]?.message;
  expect(await messageOf({}, { a: 1 })).toBe('{"a":1}');
  expect(await messageOf({ message: "" }, "x".repeat(1_000))).toHaveLength(500);
});

test("has only three levels", () => {
  expect(findConfigProblems("log", { level: "debug" })).toEqual([
    { path: "level", message: "must be one of info, warning, error" },
  ]);
});
