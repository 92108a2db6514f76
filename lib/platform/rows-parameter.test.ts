import { expect, test } from "vitest";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import { query } from "./database.ts";
import {
  type Columns,
  int,
  intArray,
  namesOf,
  RowsParameter,
  text,
  textArray,
  time,
  timeArray,
  within,
} from "./rows-parameter.ts";

inOwnDatabase();

const readArrays = "SELECT $1::text[] AS texts, $2::int[] AS ints, $3::timestamptz[] AS times";

async function sent(texts: (string | null)[], ints: (number | null)[], times: (string | null)[]) {
  const values = [textArray(texts), intArray(ints), timeArray(times)];
  const [row] = await query<{ texts: string[]; ints: number[]; times: (Date | null)[] }>("arrays", readArrays, values);
  return { ...row, times: row?.times.map((time) => time?.toISOString() ?? null) };
}

test("the database reads arrays as written, including text that is hard to escape", async () => {
  const texts = ["", "NULL", null, '{"a":"\\"\\\\"}', "a,b{c}", "ä€😀", " \n\t", "x".repeat(100_000)];
  const ints = [0, -1, null, 2_147_483_647, -2_147_483_648];
  const times = ["1970-01-01T00:00:00.000Z", null, "1999-12-31T23:59:59.999Z", "2026-11-21T15:30:00.123Z"];
  expect(await sent(texts, ints, times)).toEqual({ texts, ints, times });
});

test("an array may be empty or contain only nulls", async () => {
  expect(await sent([], [], [])).toEqual({ texts: [], ints: [], times: [] });
  const nulls = [null, null];
  expect(await sent(nulls, nulls, nulls)).toEqual({ texts: nulls, ints: nulls, times: nulls });
});

test("a lone surrogate becomes the replacement character and U+0000 is refused, as in text", async () => {
  expect((await sent(["\ud83d"], [], [])).texts).toEqual(["\ufffd"]);
  await expect(sent(["\u0000"], [], [])).rejects.toMatchObject({ code: "22021" });
});

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
  const rows = new RowsParameter(columns, 2);
  const given = [
    { name: "it's", count: null, at: "2026-01-31T23:59:59.000Z" },
    { name: "ü", count: -1, at: null },
  ];
  const sql = `SELECT n.*, (${rows.at("count")})[2] AS second, $1::text AS before, $${rows.next}::text AS after FROM ${rows.as("n")}`;
  const found = await query("rows-parameter", sql, ["first", ...rows.values(given), "last"]);
  const extraColumns = { second: -1, before: "first", after: "last" };
  expect(found).toEqual(given.map((row) => ({ ...row, at: row.at && new Date(row.at), ...extraColumns })));
});

test("columns are named with or without their table", () => {
  expect([namesOf(columns), namesOf(columns, "n")]).toEqual(["name, count, at", "n.name, n.count, n.at"]);
});

test("nested rows' columns have the same names and types", () => {
  const lifted = new RowsParameter(
    within(columns, ({ row }: { row: Row }) => row),
    1,
  );
  const row = { name: "a", count: 1, at: null };
  expect(lifted.as("n")).toBe("unnest((SELECT $1::text[]), $2::int[], $3::timestamptz[]) AS n(name, count, at)");
  expect(lifted.values([{ row }])).toEqual(new RowsParameter(columns, 1).values([row]));
});
