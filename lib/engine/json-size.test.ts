import { expect, test } from "vitest";
import { jsonCharacters } from "./json.ts";

test.each([
  ["abc", 5],
  [null, 4],
  [[1, 2], 12],
  [{ a: "b", cd: [] }, 16],
  [undefined, 4],
])("%j has about as many characters as its JSON", (value, characters) => {
  expect(jsonCharacters(value, 1_000)).toBe(characters);
});

test("a repeated value counts each time", () => {
  const part = { text: "x".repeat(1_000) };
  expect(jsonCharacters(Array(50).fill(part), 1_000_000)).toBeGreaterThan(50_000);
});

test("counting ends at the limit: a value that doubles forty times is not walked", () => {
  let value: unknown = "x";
  for (let level = 0; level < 40; level += 1) value = [value, value];
  expect(jsonCharacters(value, 10_000)).toBeGreaterThan(10_000);
});
