import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuTime } from "#e2e/support/longest-turn.ts";
import { pasteMax, readTsv, writeTsv } from "./tsv.ts";

test.each([
  [
    "a\tb\nc\td",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  [
    "a\tb\r\nc\td\r\n",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  ["\ufeffa", [["a"]]],
  ["a\rb", [["a"], ["b"]]],
  ['"two\nlines"\t"a ""word"""', [["two\nlines", 'a "word"']]],
  ['"a\ttab"\nx', [["a\ttab"], ["x"]]],
  ['"not closed\tb', [['"not closed', "b"]]],
  ['"12" screw\t1', [['"12" screw', "1"]]],
  [
    "\t\n\t",
    [
      ["", ""],
      ["", ""],
    ],
  ],
  ["a\n\nb", [["a"], [""], ["b"]]],
  ["", []],
  ["\u0000\t\ud800", [["\u0000", "\ud800"]]],
])("%j is %j", (text, rows) => {
  expect(readTsv(text)).toEqual(rows);
});

test("what is copied is pasted as it was", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", '"', "\t", "\n", "\r", " ", ",", "é") });
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }), (rows) => {
      expect(readTsv(writeTsv(rows))).toEqual(rows);
    }),
  );
});

test("a paste at its limits is read, one beyond is not", () => {
  const lines = (count: number) => "x\n".repeat(count);
  expect(readTsv(lines(pasteMax.rows))).toHaveLength(pasteMax.rows);
  expect(readTsv(lines(pasteMax.rows + 1))).toBeNull();
  expect(readTsv("x\t".repeat(pasteMax.cells))).toBeNull();
  expect(readTsv("x".repeat(pasteMax.characters + 1))).toBeNull();
});

test("many quotes that are never closed do not make it slow", () => {
  expect(cpuTime(() => readTsv('"""\t'.repeat(pasteMax.cells - 1)))).toBeLessThan(2_000);
});
