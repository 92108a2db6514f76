import { text } from "node:stream/consumers";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { createTable, readTable } from "#lib/tables/tables.ts";
import { exportRows, importRows } from "./csv-rows.ts";

let actor: Actor;
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});

let made = 0;
let tableId: string;
beforeEach(async () => {
  made += 1;
  const plain = { unique: false, indexed: false, required: false };
  const table = await createTable(actor, {
    name: `table ${made}`,
    columns: [
      { ...plain, name: "n", type: "number", unique: true },
      { ...plain, name: "more", type: "json" },
    ],
  });
  tableId = table.id;
});

const lines = (from: number, count: number) =>
  `n,more\n${Array.from({ length: count }, (_, n) => `${from + n},`).join("\n")}`;

test("concurrent imports of several batches each add up", async () => {
  const importing = [0, 10_000, 20_000].map((from) => importRows(actor, tableId, lines(from, 2_100), undefined));
  expect(await Promise.all(importing)).toEqual(Array.from({ length: 3 }, () => ({ inserted: 2_100, updated: 0 })));
  expect(await importRows(actor, tableId, lines(0, 2_200), "n")).toEqual({ inserted: 100, updated: 2_100 });
  expect(await readTable(actor, tableId)).toMatchObject({ rowCount: 6_400 });
});

test("an import of many rows does not block the event loop, even if its last line is invalid", async () => {
  const many = lines(0, 60_000);
  const wrong = () => importRows(actor, tableId, `${many}\n1,{`, undefined).catch(({ details }) => details);
  expect(await longestTurn(async () => expect(await wrong()).toHaveProperty(["line 60002.more"]))).toBeLessThan(100);
  const right = async () =>
    expect(await importRows(actor, tableId, many, undefined)).toEqual({ inserted: 60_000, updated: 0 });
  expect(await longestTurn(right)).toBeLessThan(100);
});

test("a refused import adds nothing", async () => {
  await expect(importRows(actor, tableId, `${lines(0, 1_500)}\nx,`, undefined)).rejects.toMatchObject({
    details: { "line 1502.n": "must be a number" },
  });
  expect(await readTable(actor, tableId)).toMatchObject({ rowCount: 0, bytes: 0 });
});

test("decimal numbers are imported in any notation", async () => {
  await importRows(actor, tableId, "n,more\n-1.5e3,\n .5 ,\n+7,\n8.,\n", undefined);
  const csv = await text((await exportRows(actor, tableId)).chunks);
  const [, ...rows] = csv.trimEnd().split("\n");
  expect(rows.map((row) => row.split(",").at(-2))).toEqual(["-1500", "0.5", "7", "8"]);
});

test.each(["0x10", "0b11", "0o17", "1_000", "1e999", "12 34"])("%s is not a number", async (field) => {
  await expect(importRows(actor, tableId, `n,more\n${field},`, undefined)).rejects.toMatchObject({
    details: { "line 2.n": "must be a number" },
  });
});

test.each([
  ["must be JSON", "{"],
  ["must not be nested deeper than 64 levels", `${"[".repeat(65)}${"]".repeat(65)}`],
  ["must have at most 65536 characters", `[${" ".repeat(65_536)}]`],
])("JSON in a field %s", async (message, field) => {
  await expect(importRows(actor, tableId, `n,more\n1,${field}`, undefined)).rejects.toMatchObject({
    details: { "line 2.more": message },
  });
});
