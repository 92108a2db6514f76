import { expect, test } from "vitest";
import type { JsonText } from "#lib/engine/outcome.ts";
import { jsonText } from "#lib/engine/outcome.ts";
import { knownText } from "#lib/json/known-text.ts";
import { keptOutput, OutputValues } from "./large-output.ts";

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

test("while memory is short, only the last one does, and the others are parsed when they are read", () => {
  const values = new OutputValues(() => true);
  const made = [large("a"), large("b"), large("c")];
  const [a, b, c] = made.map((output) => keptOutput(output, values)) as [JsonText, JsonText, JsonText];
  expect(hasValue(c, made[2] as JsonText)).toBe(true);
  const again = a.value;
  expect(again).not.toBe(made[0]?.value);
  expect(again).toEqual(made[0]?.value);
  expect(knownText(again)).toBe(a.json);
  expect(hasValue(c, made[2] as JsonText)).toBe(false);
  expect(b.value).toEqual(made[1]?.value);
});
