// A long text parses to the same as with `JSON.parse`, in pieces of any size; invalid JSON is refused.
import { describe, expect, test } from "vitest";
import { nestingDepth } from "#lib/engine/json.ts";
import { knownDepth, knownText } from "./known-text.ts";
import { parseJsonInTurns, parseJsonToKeep, TooDeep } from "./parse-json.ts";

const levelsMax = 64;
const sizes = [1, 2, 3, 5, 8, 13, 40];

const texts = [
  "[]",
  " [ \n ] ",
  "{}",
  '{ "a" : 1 , "b" : [ 1 , { "c" : "d" } , [ ] ] , "e" : { } }',
  "[[[[1],2],3],4]",
  '[{"a":[{"b":[{"c":1},2]},3]},4]',
  '{"a":{"b":{"c":{"d":[1,2,3]}},"e":"f"},"g":null}',
  '["]", "}", ",", "\\"", "\\\\", "[{", "\\u005d"]',
  '{"a":1,"b":2,"a":[3,4,5],"b":{"c":6}}',
  '{"__proto__":{"x":[1,2,3]},"constructor":1,"10":[1],"9":{"a":2},"":{"":[]}}',
  '[-0, 1e300, 1E-7, true, false, null, 0.1, "\\ud800", "é😀"]',
  '"a text that is longer than what is parsed at once"',
  "12345678901234567890",
  "  \t\r\n null \n",
  JSON.stringify(Array.from({ length: 40 }, (_, index) => ({ id: index, tags: [`${index}`], at: { x: [index, []] } }))),
];

describe("valid JSON", () => {
  test.each(texts)("%s", async (text) => {
    for (const size of sizes) {
      const value = await parseJsonInTurns(text, levelsMax, size);
      expect(value).toEqual(JSON.parse(text));
      // Including the order of keys.
      expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
    }
  });
});

const broken = [
  "",
  "   ",
  "[",
  "]",
  '{"a"',
  '{"a":',
  '{"a":1',
  "[1,2",
  "[1,]",
  "[,1]",
  "[1,,2]",
  "[ , ]",
  '{"a":1,}',
  '{,"a":1}',
  '{"a":1,,"b":2}',
  '{"a":[1,2],}',
  "[[1,2],]",
  "[[1,2][3,4]]",
  "[[1,2] 3]",
  "[1 [2,3]]",
  '{"a":-[1,2]}',
  '{"a":1[2,3]}',
  '{"a":"b"[2,3]}',
  '{"a" [2,3]}',
  "{[2,3]}",
  "{a:[2,3]}",
  '{"a":[1,2]:3}',
  '{"a":[1,2] "b":3}',
  '{"a":[1,2}',
  '[{"a":1]',
  "[1,2}",
  "[1,2]]",
  "[1,2] [3,4]",
  "[1,2] 3",
  "3 [1,2]",
  "[1,2]x",
  "x[1,2]",
  '["a',
  '["a\\"]',
  "[01,2,3]",
  "[1.,2,3]",
  '["\n"]',
  "[undefined]",
  "['a']",
  "[1,2]\u00a0",
  "[1,\u00a0]",
];

describe("invalid JSON", () => {
  test.each(broken)("%j", async (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    for (const size of sizes) await expect(parseJsonInTurns(text, levelsMax, size)).rejects.toThrow(SyntaxError);
  });
});

test("a JSON text damaged anywhere is accepted or refused as by JSON.parse", async () => {
  const largeText = texts[5] as string;
  for (let index = 0; index < largeText.length; index += 1) {
    for (const put of ["", ",", "[", "]", "{", "}", '"', ":", "1", " "]) {
      const text = largeText.slice(0, index) + put + largeText.slice(index + 1);
      const expected = tried(() => JSON.parse(text));
      for (const size of sizes)
        expect(await triedLater(parseJsonInTurns(text, levelsMax, size)), text).toEqual(expected);
    }
  }
});

test("nesting is counted, however long the text is", async () => {
  const nested = (levels: number) => "[".repeat(levels) + "1,2,3,4,5".repeat(1) + "]".repeat(levels);
  for (const size of [3, 1_000]) {
    expect(await parseJsonInTurns(nested(levelsMax), levelsMax, size)).toEqual(JSON.parse(nested(levelsMax)));
    await expect(parseJsonInTurns(nested(levelsMax + 1), levelsMax, size)).rejects.toThrow(TooDeep);
  }
  await expect(parseJsonInTurns("[".repeat(1_000_000), levelsMax)).rejects.toThrow(TooDeep);
});

describe("a value to keep", () => {
  /** Only long texts are remembered. */
  const long = "y".repeat(70_000);

  test.each(texts)("%s", async (text) => {
    for (const around of [`[${text},"${long}"]`, `{"${long}" : ${text} , "z":[1,2,3]}`]) {
      for (const size of sizes) {
        const value = (await parseJsonToKeep(around, levelsMax, size)) as object;
        const json = JSON.stringify(JSON.parse(around));
        expect(JSON.stringify(value)).toBe(json);
        expect([json, undefined]).toContain(knownText(value));
        if (knownText(value) !== undefined) expect(knownDepth(value)).toBe(nestingDepth(value, levelsMax));
      }
    }
  });

  test("its text is written meanwhile, as JSON.stringify would", async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => ({ id: index, price: 1.5, tags: ["a\n", "ü"], at: {} }));
    const value = { name: "order", lines, more: { a: [[], {}] } };
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      expect(knownText(await parseJsonToKeep(text, levelsMax))).toBe(JSON.stringify(value));
    }
  });

  test.each([
    ["a repeated key", `{"a":1,"long":"${long}","a":2}`],
    ["keys in another order than theirs", `{"b":1,"long":"${long}","2":1,"1":2}`],
  ])("%s in two pieces leaves it to be written later", async (_, text) => {
    const value = await parseJsonToKeep(text, levelsMax, 8);
    expect(value).toEqual(JSON.parse(text));
    expect(knownText(value)).toBeUndefined();
  });

  test("invalid JSON is refused", async () => {
    for (const text of broken) {
      for (const size of sizes) await expect(parseJsonToKeep(text, levelsMax, size)).rejects.toThrow(SyntaxError);
    }
  });
});

test("the event loop is not blocked while a long text is parsed", async () => {
  const text = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => index));
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const value = await parseJsonInTurns(text, levelsMax);
  isDone = true;
  expect(value).toEqual(JSON.parse(text));
  expect(turns).toBeGreaterThan(5);
});

type Tried = { readonly value: unknown } | "refused";

function tried(work: () => unknown): Tried {
  try {
    return { value: work() };
  } catch {
    return "refused";
  }
}

async function triedLater(work: Promise<unknown>): Promise<Tried> {
  return await work.then(
    (value): Tried => ({ value }),
    () => "refused",
  );
}
