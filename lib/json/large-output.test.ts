import { expect, test } from "vitest";
import { type JsonText, jsonText, restoredValue } from "#lib/engine/outcome.ts";
import { keptOutput, keptResult, mayHaveToParse, OutputValues } from "./large-output.ts";

const large = (name: string) => jsonText({ name, text: "x".repeat(70_000) });
/** Whether an output still has the value that it was made with. */
const hasValue = (output: JsonText, made: JsonText) => output.value === made.value;

test("a small output is kept as it is, and a large one only once", () => {
  const small = jsonText({ a: 1 });
  expect(keptOutput(small)).toBe(small);
  const kept = keptOutput(large("a"));
  expect(keptOutput(kept)).toBe(kept);
});

test("large outputs keep their values while there is memory", () => {
  const values = new OutputValues(() => false);
  const made = [large("a"), large("b"), large("c")];
  const kept = made.map((output) => keptOutput(output, values));
  expect(kept.map((output, index) => hasValue(output, made[index] as JsonText))).toEqual([true, true, true]);
});

test("while memory is short, only the last one does, and the others are parsed when they are read", async () => {
  const values = new OutputValues(() => true);
  const kept = ["a", "b", "c"].map((name) => keptOutput(large(name), values));
  const [a, b, c] = kept as [JsonText, JsonText, JsonText];
  expect(mayHaveToParse()).toBe(true);
  expect(a.value).toEqual(large("a").value);
  expect(await restoredValue(b)).toEqual(large("b").value);
  expect(await restoredValue(b)).toBe(b.value);
  expect(c.value).toEqual(large("c").value);
});

test("a value that is let go while it is in use is not parsed a second time", async () => {
  const values = new OutputValues(() => true);
  const [a] = [keptOutput(large("a"), values), keptOutput(large("b"), values)];
  const inUse = await restoredValue(a);
  keptOutput(large("c"), values);
  expect([a.value === inUse, (await restoredValue(a)) === inUse]).toEqual([true, true]);
});

test("a small value is restored as it is", async () => {
  const small = jsonText([1]);
  expect(await restoredValue(small)).toBe(small.value);
});

test("a loop's long result is made while there is memory, and else when it is read", async () => {
  const value = large("a").value;
  let isMade = false;
  const restored = async () => {
    isMade = true;
    return [value];
  };
  const result = { value: null, json: JSON.stringify([value]), restored };
  const short = await keptResult(result, new OutputValues(() => true));
  expect([isMade, short.json, await restoredValue(short)]).toEqual([false, result.json, [value]]);
  const kept = await keptResult(result, new OutputValues(() => false));
  expect([isMade, (kept.value as unknown[])[0] === value]).toEqual([true, true]);
});
