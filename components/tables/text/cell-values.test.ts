import { expect, test } from "vitest";
import type { ColumnType } from "#components/tables/table-queries.ts";
import { cellText, isSame, readCellText } from "./cell-values.ts";

const read = (type: ColumnType, text: string) => readCellText({ type, required: false }, text);

test.each<[ColumnType, string, unknown]>([
  ["text", " a ", " a "],
  ["text", "\u0000\ud800", "\u0000\ud800"],
  ["text", "", null],
  ["number", " -12.50 ", -12.5],
  ["number", "1,204,000.5", 1_204_000.5],
  ["number", "1e3", 1000],
  ["number", " ", null],
  ["boolean", "TRUE", true],
  ["boolean", "no", false],
  ["time", "2026-01-31", "2026-01-31T00:00:00.000Z"],
  ["time", "2026-01-31 10:00", "2026-01-31T10:00:00.000Z"],
  ["time", "2026-01-31T10:00:00+01:00", "2026-01-31T09:00:00.000Z"],
  ["json", '{"a": [1, null]}', { a: [1, null] }],
])("%s reads %j as %j", (type, text, value) => {
  expect(read(type, text)).toEqual({ value });
});

test.each<[ColumnType, string]>([
  ["number", "twelve"],
  ["number", "0x10"],
  ["number", "Infinity"],
  ["number", "1e999"],
  ["number", "1,2"],
  ["boolean", "maybe"],
  ["time", "tomorrow"],
  ["time", "2026-02-30"],
  ["json", "{a: 1}"],
])("%s refuses %j in words that follow the column's name", (type, text) => {
  expect(read(type, text)).toEqual({ problem: expect.stringMatching(/^must be /) });
});

test("a required column refuses nothing", () => {
  expect(readCellText({ type: "text", required: true }, "")).toEqual({ problem: "is required" });
});

test.each<[ColumnType, unknown]>([
  ["text", "a\tb"],
  ["number", 1e21],
  ["boolean", false],
  ["time", "2026-01-31T10:00:00.000Z"],
  ["json", ["x", { y: null }]],
  ["json", "text in JSON"],
  ["number", null],
])("a value of %s, %j, is read again from its text", (type, value) => {
  expect(read(type, cellText(type, value))).toEqual({ value });
});

test("values are the same by what they hold", () => {
  expect(isSame({ a: 1 }, { a: 1 })).toBe(true);
  expect(isSame(null, undefined)).toBe(true);
  expect(isSame("1", 1)).toBe(false);
});
