import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { query } from "#lib/platform/database.ts";
import { findRows } from "./rows/find-rows.ts";
import { showRow } from "./rows/stored-row.ts";
import { insertRow, updateRow } from "./rows/write-rows.ts";
import { findTable } from "./table.ts";
import { createTable } from "./tables.ts";
import { updateTable } from "./update-table.ts";

let actor: Actor;
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});

const plain = { type: "number" as const, unique: false, indexed: false, required: false };

test.each(["indexed", "unique"])("rows that are older than an %s column are found and sorted by it", async (flag) => {
  const { id, columns } = await createTable(actor, { name: `grown ${flag}`, columns: [{ ...plain, name: "n" }] });
  const old = [];
  for (const n of [1, 2, 3]) old.push(await insertRow(actor, id, { n }));
  await updateTable(actor, id, { columns: [...columns, { ...plain, name: "rank", [flag]: true }] });
  await insertRow(actor, id, { n: 4, rank: 40 });
  await updateRow(actor, id, old[1]?.id ?? "", { rank: 20 }, null);
  const table = await findTable(query, actor.workspaceId, id);
  const found = async (where: object, sort?: string) =>
    (await findRows(table, { where, sort, limit: 10 })).rows.map((row) => showRow(table, row).n);
  expect(await found({}, "rank")).toEqual([2, 4, 1, 3]);
  expect(await found({}, "-rank")).toEqual([3, 1, 4, 2]);
  expect(await found({ rank: null })).toEqual([1, 3]);
  expect(await found({ rank: { gte: 20 } })).toEqual([2, 4]);
});

test("an unknown column named __proto__ is refused like any other", async () => {
  const { id } = await createTable(actor, { name: "names", columns: [{ ...plain, name: "n" }] });
  await expect(insertRow(actor, id, JSON.parse('{"n": 1, "__proto__": 2}'))).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
});
