import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLine, readCsv } from "./csv.ts";

const fieldsOf = (text: string) => [...readCsv(text)].map(({ fields }) => fields);

test("written records are read back", () => {
  const field = fc.option(fc.string({ unit: fc.constantFrom("a", '"', ",", "\r", "\n", " ", "ü") }), { nil: null });
  const records = fc.array(fc.array(field, { minLength: 2, maxLength: 5 }), { maxLength: 5 });
  fc.assert(
    fc.property(records, (all) => {
      expect(fieldsOf(all.map((fields) => csvLine(fields)).join(""))).toEqual(all);
    }),
  );
});

test("an empty field is a missing value, and a quoted one is empty text", () => {
  expect(fieldsOf('a,,""\n')).toEqual([["a", null, ""]]);
});

test("lines end with CRLF, LF or CR, optional on the last; empty lines and a byte order mark are skipped", () => {
  expect(fieldsOf("\ufeffa,b\r\n1,2\n\n3,4\r5,6")).toEqual([
    ["a", "b"],
    ["1", "2"],
    ["3", "4"],
    ["5", "6"],
  ]);
});

test("a record has the number of its first line", () => {
  expect([...readCsv('a\n"x\r\ny"\nb')].map(({ line }) => line)).toEqual([1, 2, 4]);
});

test.each([
  ['a\n"b', "line 2: a quoted field has no end"],
  ['"a"b', "line 1: after a quoted field, a comma or the end of the line is expected"],
  [",".repeat(2_000), "line 1: has more than 1000 fields"],
])("%j is refused", (text, message) => {
  expect(() => fieldsOf(text)).toThrow(message);
});
