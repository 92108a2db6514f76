import { isJsonObject } from "#lib/engine/json.ts";
import { AppError } from "#lib/errors.ts";
import type { RunStatement } from "#lib/platform/database.ts";
import { textArray } from "#lib/platform/rows-parameter.ts";
import { mapInTurns } from "#lib/platform/turns.ts";
import { keyOf, storedCell, WrongValue } from "#lib/tables/cells.ts";
import { type Column, invalid, type Table } from "#lib/tables/table.ts";
import { applyChanges, type RowChange, type Writing } from "./apply-changes.ts";
import { at, lockRows, type StoredRow, writtenCells } from "./stored-row.ts";

const findKeys = `
  SELECT key, row_id FROM table_key WHERE table_id = $1 AND column_id = $2 AND key = ANY($3::text[]) AND is_unique`;

type Values = Readonly<Record<string, unknown>>;

const triesMax = 3;

/**
 * Updates the row with the same value in the unique column, or inserts one, for each given row; returns the rows in the
 * same order. If several transactions insert the same value, the later ones find the first one's row. `pathOf`: a row's
 * path in the request. Throws VALIDATION_ERROR, CONFLICT.
 */
export async function upsertWithin(
  run: RunStatement,
  table: Table,
  column: Column,
  given: readonly Values[],
  pathOf: (index: number) => string,
  writing: Writing = {},
): Promise<{ rows: StoredRow[]; inserted: number; updated: number }> {
  if (!column.unique) throw invalid({ key: "must be a unique column" });
  const keys = given.map((values, index) => keyIn(values, column, pathOf(index)));
  for (let tries = 1; ; tries += 1) {
    await run("before-upsert", "SAVEPOINT upsert", []);
    try {
      return await upsertOnce(run, table, column, { given, keys, pathOf, writing });
    } catch (error) {
      const isTaken = error instanceof AppError && error.code === "CONFLICT";
      if (!isTaken || tries === triesMax) throw error;
      // Another transaction has just inserted a row with one of the keys, which can now be updated.
      await run("undo-upsert", "ROLLBACK TO SAVEPOINT upsert", []);
    }
  }
}

function keyIn(values: Values, { name, type }: Column, path: string): string {
  if (!isJsonObject(values)) throw invalid({ [path]: "must be an object" });
  try {
    const cell = Object.hasOwn(values, name) ? storedCell(type, values[name]) : null;
    if (cell === null) throw new WrongValue("is required: rows are found by it");
    return keyOf(cell);
  } catch (error) {
    if (error instanceof WrongValue) throw invalid({ [at(path, name)]: error.message });
    throw error;
  }
}

interface Upserts {
  readonly given: readonly Values[];
  readonly keys: readonly string[];
  readonly pathOf: (index: number) => string;
  readonly writing: Writing;
}

async function upsertOnce(run: RunStatement, table: Table, column: Column, upserts: Upserts) {
  const { given, keys, pathOf, writing } = upserts;
  if (new Set(keys).size < keys.length) throw invalid({ [column.name]: "must not be the same in two rows" });
  const found = await run<{ key: string; row_id: string }>("find-keys", findKeys, [
    table.id,
    column.id,
    textArray(keys),
  ]);
  const ids = new Map(found.map((row) => [row.key, row.row_id]));
  const locked = await lockRows(run, table, [...ids.values()]);
  // A row may have changed or been deleted while this waited for its lock.
  const rows = new Map(locked.map((row) => [keyOf(row.cells[column.id]), row]));
  const changes = await mapInTurns(given, (values, index): RowChange => {
    const path = pathOf(index);
    const before = rows.get(keys[index] ?? "") ?? null;
    return { before, after: writtenCells(table, values, before?.cells ?? null, path), path };
  });
  const written = await applyChanges(run, table, changes, writing);
  const updated = changes.filter(({ before }) => before !== null).length;
  return { rows: written, inserted: changes.length - updated, updated };
}
