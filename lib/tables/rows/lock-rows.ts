import { textArray } from "#lib/platform/array-parameter.ts";
import type { RunStatement } from "#lib/platform/database.ts";
import type { Table } from "#lib/tables/table.ts";
import { requireFewBytes, rowBytesMax, type StoredRow, writeBytesMax } from "./stored-row.ts";

const selectRows = `
  SELECT id, version, cells, bytes, created_at, updated_at FROM table_row
  WHERE table_id = $1 AND id = ANY($2::text[]) ORDER BY id`;
const lockIds = "SELECT id, bytes FROM table_row WHERE table_id = $1 AND id = ANY($2::text[]) ORDER BY id FOR UPDATE";

/** A locked row of which only the size is known. */
export interface LockedRow extends Record<string, unknown> {
  readonly id: string;
  readonly bytes: number;
}

/** The rows with these ids that there are. */
export function rowsWith(run: RunStatement, table: Table, ids: readonly string[]): Promise<StoredRow[]> {
  return run<StoredRow>("rows-with", selectRows, [table.id, textArray(ids)]);
}

/**
 * The same, locked until the transaction ends; always in one order, so that two writers rarely wait for each other. Throws
 * VALIDATION_ERROR if they take more bytes than one write may.
 */
export async function lockRows(run: RunStatement, table: Table, ids: readonly string[]): Promise<StoredRow[]> {
  const values = [table.id, textArray(ids)];
  if (ids.length * rowBytesMax <= writeBytesMax) return await run("lock-rows", `${selectRows} FOR UPDATE`, values);
  return await readLocked(run, table, await run<LockedRow>("lock-row-ids", lockIds, values), "rows");
}

/** Reads rows that the transaction has locked. Throws VALIDATION_ERROR for `field` if they take too many bytes. */
export async function readLocked(
  run: RunStatement,
  table: Table,
  locked: readonly LockedRow[],
  field: string,
): Promise<StoredRow[]> {
  requireFewBytes(locked, field);
  const ids = locked.map(({ id }) => id);
  return ids.length === 0 ? [] : await rowsWith(run, table, ids);
}
