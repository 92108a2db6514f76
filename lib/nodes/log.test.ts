import { expect, test } from "vitest";
import { log } from "./log.ts";
import { findConfigProblems } from "./registry.ts";
import { asNode, runNodeAlone } from "./testing/run-alone.ts";

test("it passes on what it was given, whatever it says", async () => {
  for (const input of [{ a: 1 }, "text", null, [1]]) {
    expect((await runNodeAlone(asNode(log), { message: "hello" }, input)).output).toEqual(input);
  }
});

// Proves nodes.log
test("it writes one entry, by default at the level info", async () => {
  const { logs } = await runNodeAlone(asNode(log), { message: "hello", data: { a: 1 } });
  expect(logs).toEqual([{ level: "info", message: "hello", data: { a: 1 } }]);
  expect((await runNodeAlone(asNode(log), { level: "warning", message: "x" })).logs[0]?.level).toBe("warning");
});

test("a message that is no text is shown as JSON", async () => {
  const said = async (message: unknown) => (await runNodeAlone(asNode(log), { message })).logs[0]?.message;
  expect([await said({ a: [1] }), await said(3), await said(null)]).toEqual(['{"a":[1]}', "3", "null"]);
});

test("without a message it is the input, cut", async () => {
  const said = async (config: object, input: unknown) =>
    (await runNodeAlone(asNode(log), config, input)).logs[0]?.message;
  expect(await said({}, { a: 1 })).toBe('{"a":1}');
  expect(await said({ message: "" }, "x".repeat(1_000))).toHaveLength(500);
});

test("only three levels are known", () => {
  expect(findConfigProblems("log", { level: "debug" })).toEqual([
    { path: "level", message: "must be one of info, warning, error" },
  ]);
});
