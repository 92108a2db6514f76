import type { Actor } from "#lib/auth/actor.ts";
import type { RowsQuery } from "#lib/contract/tables/rows.ts";
import { notFound } from "#lib/errors.ts";
import { query } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { mapInTurns } from "#lib/platform/turns.ts";
import { findTable } from "#lib/tables/table.ts";
import { sizeOf } from "#lib/tables/tables.ts";
import { countFound, findRows } from "./find-rows.ts";
import { rowsWith } from "./lock-rows.ts";
import { showRow } from "./stored-row.ts";

/** A page of a table's rows. Throws NOT_FOUND, VALIDATION_ERROR. */
export async function listRows({ workspaceId }: Actor, tableId: string, asked: RowsQuery) {
  const table = await findTable(query, workspaceId, tableId);
  const { rows, nextCursor } = await findRows(table, asked);
  return { rows: await mapInTurns(rows, (row) => showRow(table, row)), nextCursor };
}

/** How many rows a filter finds. Throws NOT_FOUND, VALIDATION_ERROR. */
export async function countRows({ workspaceId }: Actor, tableId: string, where: unknown) {
  const table = await findTable(query, workspaceId, tableId);
  return { count: where === undefined ? (await sizeOf(table.id)).rows : await countFound(table, where) };
}

/** One row. Throws NOT_FOUND. */
export async function readRow({ workspaceId }: Actor, tableId: string, rowId: string) {
  const table = await findTable(query, workspaceId, tableId);
  const [row] = isId("tableRow", rowId) ? await rowsWith(query, table, [rowId]) : [];
  if (row === undefined) throw notFound("Row");
  return showRow(table, row);
}
