import { afterAll, beforeAll, expect, test } from "vitest";
import { useOwnDatabase } from "#e2e/support/own-database.ts";
import { intArray, textArray, timeArray } from "./array-parameter.ts";
import { query } from "./database.ts";

let own: { drop(): Promise<void> };
beforeAll(async () => {
  own = await useOwnDatabase();
});
afterAll(() => own.drop());

const asItWas = "SELECT $1::text[] AS texts, $2::int[] AS ints, $3::timestamptz[] AS times";

async function sent(texts: (string | null)[], ints: (number | null)[], times: (string | null)[]) {
  const values = [textArray(texts), intArray(ints), timeArray(times)];
  const [row] = await query<{ texts: string[]; ints: number[]; times: (Date | null)[] }>("arrays", asItWas, values);
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
