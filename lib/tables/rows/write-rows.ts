import type { Actor } from "#lib/auth/actor.ts";
import type { Increment, RowWrites } from "#lib/contract/tables/rows.ts";
import { notFound } from "#lib/errors.ts";
import type { RunStatement } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { mapInTurns } from "#lib/platform/turns.ts";
import { columnNamed, findTable, inTableTransaction, invalid, type Table } from "#lib/tables/table.ts";
import { applyChanges, type RowChange } from "./apply-changes.ts";
import {
  lockRows,
  requireMatch,
  requireVersion,
  type ShownRow,
  type StoredRow,
  showRow,
  writtenCells,
} from "./stored-row.ts";
import { upsertWithin } from "./upsert.ts";

type Values = Readonly<Record<string, unknown>>;

/** Writes to a table whose columns are locked; once, with an `Idempotency-Key`. Throws NOT_FOUND. */
async function writeToTable<Made>(
  { workspaceId, once }: Actor,
  tableId: string,
  work: (run: RunStatement, table: Table) => Promise<Made>,
): Promise<Made> {
  if (once?.made) return once.made as Made;
  return await inTableTransaction(async (run) => {
    const table = await findTable(run, workspaceId, tableId, "share");
    const made = await work(run, table);
    await once?.keep(run, made);
    return made;
  });
}

/** Inserts a row. Throws NOT_FOUND, VALIDATION_ERROR, CONFLICT for a duplicate unique value. */
export function insertRow(actor: Actor, tableId: string, values: Values): Promise<ShownRow> {
  return writeToTable(actor, tableId, async (run, table) => {
    const [row] = await applyChanges(run, table, [{ before: null, after: writtenCells(table, values, null) }]);
    return showRow(table, row as StoredRow);
  });
}

/** Updates the given values. Throws NOT_FOUND, VALIDATION_ERROR, CONFLICT. */
export function updateRow(actor: Actor, tableId: string, rowId: string, values: Values, ifMatch: string | null) {
  return changing(actor, tableId, rowId, (table, row) => {
    requireMatch(row, ifMatch);
    return writtenCells(table, values, row.cells);
  });
}

/** Adds to a number. Throws NOT_FOUND, VALIDATION_ERROR, CONFLICT. */
export function incrementRow(actor: Actor, tableId: string, rowId: string, increment: Increment): Promise<ShownRow> {
  return changing(actor, tableId, rowId, (table, row) => incremented(table, row, increment));
}

function changing(
  actor: Actor,
  tableId: string,
  rowId: string,
  change: (table: Table, row: StoredRow) => RowChange["after"],
): Promise<ShownRow> {
  return writeToTable(actor, tableId, async (run, table) => {
    const before = await lockRow(run, table, rowId);
    const [row] = await applyChanges(run, table, [{ before, after: change(table, before) }]);
    return showRow(table, row as StoredRow);
  });
}

/** Throws NOT_FOUND. */
async function lockRow(run: RunStatement, table: Table, rowId: string): Promise<StoredRow> {
  const [row] = isId("tableRow", rowId) ? await lockRows(run, table, [rowId]) : [];
  if (row === undefined) throw notFound("Row");
  return row;
}

/** Deletes a row. Throws NOT_FOUND, CONFLICT. */
export async function deleteRow(actor: Actor, tableId: string, rowId: string, ifMatch: string | null): Promise<null> {
  return await writeToTable(actor, tableId, async (run, table) => {
    const before = await lockRow(run, table, rowId);
    requireMatch(before, ifMatch);
    await applyChanges(run, table, [{ before, after: null }]);
    return null;
  });
}

/**
 * Updates the row with the same value in the unique column `key`, or inserts one. Throws NOT_FOUND, VALIDATION_ERROR.
 */
export function upsertRow(actor: Actor, tableId: string, key: string, values: Values) {
  return writeToTable(actor, tableId, async (run, table) => {
    const { rows, inserted } = await upsertWithin(run, table, columnNamed(table, key, "key"), [values], () => "row");
    return { row: showRow(table, rows[0] as StoredRow), isNew: inserted === 1 };
  });
}

/** Inserts, updates and deletes rows atomically. Throws NOT_FOUND, VALIDATION_ERROR, CONFLICT. */
export function writeRows(actor: Actor, tableId: string, writes: RowWrites) {
  return writeToTable(actor, tableId, async (run, table) => {
    const ids = [...writes.update.map(({ id }) => id), ...writes.delete];
    if (new Set(ids).size < ids.length) throw invalid({ update: "must name a row once, and none that is deleted" });
    const locked = await lockRows(
      run,
      table,
      ids.filter((id) => isId("tableRow", id)),
    );
    const byId = new Map(locked.map((row) => [row.id, row]));
    const inserts = await mapInTurns(writes.insert, (values, at): RowChange => {
      const path = `insert[${at}]`;
      return { before: null, after: writtenCells(table, values, null, path), path };
    });
    const updates = await mapInTurns(writes.update, ({ id, row: values, version }, at): RowChange => {
      const path = `update[${at}].row`;
      const before = byId.get(id);
      if (before === undefined) throw invalid({ [`update[${at}].id`]: "there is no such row" });
      requireVersion(before, version);
      return { before, after: writtenCells(table, values, before.cells, path), path };
    });
    const deletes = writes.delete.flatMap((id): RowChange[] => {
      const before = byId.get(id);
      return before === undefined ? [] : [{ before, after: null }];
    });
    const rows = await applyChanges(run, table, [...inserts, ...updates, ...deletes]);
    const inserted = rows.slice(0, inserts.length).map(({ id }) => id);
    return { inserted, updated: updates.length, deleted: deletes.length };
  });
}

/** Adds to a number in a locked row; a missing value counts as 0. Throws VALIDATION_ERROR. */
export function incremented(
  table: Table,
  row: StoredRow,
  { column, by }: { readonly column: string; readonly by: number },
): RowChange["after"] {
  const { id, name, type } = columnNamed(table, column, "column");
  if (type !== "number") throw invalid({ column: "must be a column of numbers" });
  const sum = Number(row.cells[id] ?? 0) + by;
  if (!Number.isFinite(sum)) throw invalid({ by: "leads beyond the largest number" });
  return writtenCells(table, { [name]: sum }, row.cells);
}
