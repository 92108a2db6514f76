import { expect, test } from "vitest";
import { useOwnDatabase } from "#e2e/support/own-database.ts";
import { query } from "./database.ts";
import { type Columns, int, namesOf, RowsParameter, text, time, within } from "./rows-parameter.ts";

interface Row {
  readonly name: string;
  readonly count: number | null;
  readonly at: string | null;
}

const columns = {
  name: text((row) => row.name),
  count: int((row) => row.count),
  at: time((row) => row.at),
} satisfies Columns<Row>;

test("a statement's text and its values come from one description", async () => {
  const own = await useOwnDatabase();
  const rows = new RowsParameter(columns, 2);
  const given = [
    { name: "it's", count: null, at: "2026-01-31T23:59:59.000Z" },
    { name: "ü", count: -1, at: null },
  ];
  const sql = `SELECT n.*, (${rows.at("count")})[2] AS second, $1::text AS before, $${rows.next}::text AS after FROM ${rows.as("n")}`;
  const found = await query("rows-parameter", sql, ["first", ...rows.values(given), "last"]);
  await own.drop();
  const more = { second: -1, before: "first", after: "last" };
  expect(found).toEqual(given.map((row) => ({ ...row, at: row.at && new Date(row.at), ...more })));
});

test("columns are named alone, or with their table", () => {
  expect([namesOf(columns), namesOf(columns, "n")]).toEqual(["name, count, at", "n.name, n.count, n.at"]);
});

test("columns of rows within others take the same names and types", () => {
  const lifted = new RowsParameter(
    within(columns, ({ row }: { row: Row }) => row),
    1,
  );
  const row = { name: "a", count: 1, at: null };
  expect(lifted.as("n")).toBe("unnest((SELECT $1::text[]), $2::int[], $3::timestamptz[]) AS n(name, count, at)");
  expect(lifted.values([{ row }])).toEqual(new RowsParameter(columns, 1).values([row]));
});
