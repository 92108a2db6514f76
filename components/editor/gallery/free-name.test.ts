import { expect, test } from "vitest";
import { flowLimits } from "#lib/engine/flow.ts";
import { freeName } from "./free-name.ts";

test.each([
  ["Order intake", [], "Order intake"],
  ["Order intake", ["order intake", "Order intake 2"], "Order intake"],
  ["Order intake", ["Order intake"], "Order intake 2"],
  ["Order intake", ["Order intake 2", "Order intake", "Order intake 4"], "Order intake 3"],
])("%s beside %j is named %s", (name, taken, expected) => {
  expect(freeName(name, taken)).toBe(expected);
});

test("a name with a number is not too long", () => {
  const long = "x".repeat(flowLimits.nameCharactersMax);
  expect(freeName(long, [long])).toBe(`${long.slice(0, -2)} 2`);
});
