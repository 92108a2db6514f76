import { expect, test } from "vitest";
import type { ColumnType, ShownColumn } from "#components/tables/table-queries.ts";
import { type FilterLine, filterOf, linesOf, nextSort } from "./filter.ts";

const column = (name: string, type: ColumnType): ShownColumn => ({
  id: name,
  name,
  type,
  unique: false,
  indexed: false,
  required: false,
});
const columns = [column("email", "text"), column("total", "number"), column("at", "time"), column("ok", "boolean")];

test.each<[FilterLine[], unknown]>([
  [[{ column: "email", is: "contains", value: "ada" }], { email: { contains: "ada" } }],
  [[{ column: "total", is: "gte", value: "100" }], { total: { gte: 100 } }],
  [[{ column: "total", is: "in", value: "1, 2" }], { total: { in: [1, 2] } }],
  [[{ column: "at", is: "lt", value: "2026-01-31" }], { at: { lt: "2026-01-31T00:00:00.000Z" } }],
  [
    [
      { column: "ok", is: "eq", value: "true" },
      { column: "email", is: "filled", value: "" },
    ],
    { and: [{ ok: { eq: true } }, { email: { ne: null } }] },
  ],
])("%j is a filter, and its lines are found again in the address", (lines, where) => {
  const filter = filterOf(lines, columns).where ?? "";
  expect(JSON.parse(filter)).toEqual(where);
  expect(JSON.parse(filterOf(linesOf(filter, columns) ?? [], columns).where ?? "")).toEqual(where);
});

test("a value that is not of the column's type is refused at its line", () => {
  const lines: FilterLine[] = [
    { column: "email", is: "eq", value: "a" },
    { column: "total", is: "eq", value: "many" },
    { column: "total", is: "eq", value: "" },
    { column: "gone", is: "eq", value: "1" },
  ];
  expect(filterOf(lines, columns)).toEqual({
    where: null,
    problems: [undefined, expect.stringContaining("a number"), "needs a value", "there is no such column"],
  });
});

test.each([
  "{",
  "[]",
  "1",
  '{"or": [{"total": 1}]}',
  '{"gone": 1}',
  '{"email": {"like": "a"}}',
  '{"and": [{"and": []}]}',
  '{"email": {"in": ["a,b"]}}',
])("lines do not show %s", (where) => {
  expect(linesOf(where, columns)).toBeNull();
});

test("bare values and several comparisons of a column are lines, too", () => {
  expect(linesOf('{"email": "a", "total": {"gte": 1, "lt": 5}}', columns)).toEqual([
    { column: "email", is: "eq", value: "a" },
    { column: "total", is: "gte", value: "1" },
    { column: "total", is: "lt", value: "5" },
  ]);
  expect(linesOf(undefined, columns)).toEqual([]);
});

test("a column sorts up, then down, then not", () => {
  expect([undefined, "total", "-total", "email"].map((sort) => nextSort("total", sort))).toEqual([
    "total",
    "-total",
    null,
    "total",
  ]);
});
