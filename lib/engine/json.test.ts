import { describe, expect, test } from "vitest";
import { formatPath, isJsonObject, nestingDepth, textDepth } from "./json.ts";

describe("a path", () => {
  test.each([
    [["nodes", 2, "config", "url"], "nodes[2].config.url"],
    [["headers", "content-type"], "headers.content-type"],
    [["headers", "a b"], 'headers["a b"]'],
    [["a", ""], 'a[""]'],
    [[0, "x"], "[0].x"],
    [[], ""],
  ])("%j is written %s", (path, text) => {
    expect(formatPath(path)).toBe(text);
  });
});

test("{} in JSON is an object", () => {
  expect([{}, Object.create(null)].map(isJsonObject)).toEqual([true, true]);
  expect([null, [], "", 1, undefined, true].some(isJsonObject)).toBe(false);
});

describe("depth", () => {
  const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels)) as unknown;

  test.each([[1], [63], [64], [65]])("%i levels are counted", (levels) => {
    expect(nestingDepth(nested(levels), 64)).toBe(levels);
  });

  test("a JSON text has the depth of its value, and brackets in strings do not count", () => {
    const values = [[], {}, [[1], { a: [{}] }], { "[[": '{{\\"[' }, ["\\", [['"']]], nested(64), nested(65)];
    for (const value of values) expect(textDepth(JSON.stringify(value), 64)).toBe(nestingDepth(value, 64));
    expect(textDepth("[".repeat(1_000_000), 64)).toBe(65);
    expect(textDepth('"[[', 64)).toBe(0);
  });

  test("a string ends at its quote, however long it is and whatever is escaped", () => {
    for (let length = 0; length < 70; length += 1) {
      for (const end of ["", "\\", "\\\\", '"', '\\"', '"[', '[\\"\\']) {
        const value = [`${"x".repeat(length)}${end}`, [1], `${"\\".repeat(length)}${end}`];
        expect(textDepth(JSON.stringify(value), 64)).toBe(2);
        expect(textDepth(JSON.stringify(value).slice(0, -2), 64)).toBe(2);
      }
    }
  });

  test("the root counts, whatever it is", () => {
    expect([null, 1, "text", {}, [], { a: 1 }].map((value) => nestingDepth(value, 64))).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test("the deepest branch counts", () => {
    expect(nestingDepth({ a: 1, b: [{ c: {} }], d: [] }, 64)).toBe(4);
  });

  test("100,000 levels count as one more than the limit, and do not overflow the stack", () => {
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(nestingDepth(deep, 64)).toBe(65);
  });
});
