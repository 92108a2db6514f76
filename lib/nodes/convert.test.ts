// The node itself; lib/formats/convert.test.ts tests each conversion.
import { expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { conversionLimits, formats, targetsOf } from "#lib/formats/formats.ts";
import { convert } from "./convert.ts";
import { findConfigProblems } from "./registry.ts";
import { asNode, runNodeAlone } from "./testing/run-alone.ts";

const outputOf = async (config: object, input: unknown = null) =>
  (await runNodeAlone(asNode(convert), config, input)).output;

test("the value is converted, or by default the input", async () => {
  expect(await outputOf({ from: "csv", to: "json" }, "a\n1")).toEqual([{ a: "1" }]);
  expect(await outputOf({ from: "csv", to: "json", value: "b\n2", header: false }, "a\n1")).toEqual([["b"], ["2"]]);
  expect(await outputOf({ from: "json", to: "yaml", value: null }, "a\n1")).toBe("null\n");
  expect(await outputOf({ from: "json", to: "text", value: { a: "\u0000\ud800" } })).toBe('{"a":"\\u0000\\ud800"}');
});

test("invalid input fails the node with a clear message", async () => {
  await expect(outputOf({ from: "xml", to: "json", value: "<a>" })).rejects.toMatchObject({
    code: "CONVERSION_FAILED",
    field: "value",
    message: expect.stringMatching(/^The xml cannot be converted: it is not well-formed XML: /),
  });
  const large = "x".repeat(conversionLimits.inputBytes);
  await expect(outputOf({ from: "text", to: "gzip", value: large })).rejects.toThrow("has more than 8388608 bytes");
});

test("data that is nested too deeply is refused as input and as output", async () => {
  let deep: unknown = 1;
  for (let level = 0; level < 600; level += 1) deep = [deep];
  await expect(outputOf({ from: "json", to: "text", value: deep })).rejects.toMatchObject({ code: "CONFIG_TOO_DEEP" });
  const json = `${"[".repeat(600)}${"]".repeat(600)}`;
  await expect(outputOf({ from: "text", to: "json", value: json })).rejects.toMatchObject({ code: "OUTPUT_TOO_DEEP" });
});

test("a workspace behind many runs of another gets its turn", async () => {
  const value = "a,b\n".repeat(20_000);
  const ended: string[] = [];
  const convertIn = async (workspaceId: string, executionId: string) => {
    const context = { workspaceId, executionId };
    await runNodeAlone(asNode(convert), { from: "csv", to: "json", value }, null, context);
    ended.push(workspaceId);
  };
  const many = Array.from({ length: 20 }, (_, index) => convertIn("many", `exec_${index}`));
  await convertIn("one", "exec_other");
  expect(ended.length).toBeLessThan(8);
  await Promise.all(many);
});

test("every format has a target, and an impossible pair is a problem", () => {
  for (const from of formats) expect(targetsOf(from)).not.toEqual([]);
  expect(convert.problem?.({ from: "markdown", to: "csv" })).toEqual({
    path: "to",
    message: "markdown can become html",
  });
  expect(convert.problem?.({ from: "csv", to: "xlsx" })).toBeNull();
  expect(convert.problem?.({ from: "{{ $vars.a }}", to: "csv" })).toBeNull();
  const problems = findConfigProblems("convert", { from: "docx", to: "json" });
  expect(JSON.stringify(problems)).toContain("must be one of json, csv");
});

test.each([
  ["a million", 1_000_000, "The csv cannot be converted: has more than 500000 fields"],
  ["as many as may be", 250_000, 249_999],
])("a CSV of %s rows is converted or refused, and holds nothing up", async (_, rows, outcome) => {
  const csv = "a,b\n".repeat(rows);
  const convertIt = () =>
    outputOf({ from: "csv", to: "json" }, csv).then(
      (list) => (list as unknown[]).length,
      ({ message }: Error) => message,
    );
  expect(await convertIt()).toBe(outcome);
  expect(await longestTurn(convertIt)).toBeLessThan(100);
});
