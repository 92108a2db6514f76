import fc from "fast-check";
import { expect, test } from "vitest";
import { nestingDepth } from "#lib/engine/json.ts";
import { triggerText } from "#lib/executions/store/new-execution.ts";
import { defaultOutputLimits, RunSizes } from "#lib/executions/store/run-sizes.ts";
import { isDeeperThan, jsonBytes } from "./json-bytes.ts";
import { knownText, rememberText } from "./known-text.ts";
import { TooDeep } from "./parse-json.ts";
import { writeJsonInTurns } from "./write-json.ts";

const long = "x".repeat(300_000);

test("a large body's text is remembered, and used unchanged in the trigger's text", async () => {
  const property = fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), async (rest, name) => {
    const trigger = { body: { ...rest, long }, headers: { name }, query: { [name]: ["a", name] }, method: "POST" };
    expect((await triggerText(trigger)).json).toBe(JSON.stringify(trigger));
    expect(knownText(trigger.body)).toBe(JSON.stringify(trigger.body));
  });
  await fc.assert(property, { numRuns: 50 });
});

test("a body that is not an object is written as before", async () => {
  const trigger = { body: long, headers: {}, query: {}, method: "POST" };
  expect((await triggerText(trigger)).json).toBe(JSON.stringify(trigger));
});

test("a value that contains one with a known text is measured and written like any other", async () => {
  const body = { long, "": [1, "ü"], nested: [[{ a: 1 }]] };
  rememberText(body, JSON.stringify(body));
  for (const value of [{ status: 200, body }, { body, after: { body } }, [body, [body]], [[{ body }], 1]]) {
    const json = JSON.stringify(value);
    expect(jsonBytes(value, Number.POSITIVE_INFINITY)).toBe(Buffer.byteLength(json));
    const levels = nestingDepth(value, 64);
    expect(await writeJsonInTurns(value, json.length, levels)).toBe(json);
    await expect(writeJsonInTurns(value, json.length, levels - 1)).rejects.toThrow(TooDeep);
  }
});

test("small texts are not remembered", () => {
  const value = { a: 1 };
  rememberText(value, '{"a":1}');
  expect(knownText(value)).toBeUndefined();
});

test("size and nesting are checked for remembered texts as for written ones", async () => {
  let value: object = { long };
  for (let level = 0; level < 20; level += 1) value = { value };
  const json = JSON.stringify(value);
  rememberText(value, json);
  expect(await new RunSizes(defaultOutputLimits).check(value, "oneBytes")).toBe(json.length);
  expect(writeJsonInTurns(value, json.length, 21)).toBe(json);
  expect(() => writeJsonInTurns(value, json.length, 20)).toThrow(TooDeep);
  expect(await isDeeperThan({ beside: [value] }, 23)).toBe(false);
  expect(await isDeeperThan({ beside: [value] }, 22)).toBe(true);
  expect(await isDeeperThan(value, 20)).toBe(true);
  const limits = { ...defaultOutputLimits, oneBytes: 100_000 };
  expect(() => new RunSizes(limits).check(value, "oneBytes")).toThrow("100,000");
});
