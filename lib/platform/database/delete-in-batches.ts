import { queryPlanned } from "#lib/platform/database.ts";

/** Rows per statement. */
const batchMax = 5_000;

interface Deletion {
  readonly table: string;
  /** A condition in SQL, with `$1` and so on for `values`. */
  readonly where: string;
  readonly values?: readonly unknown[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Deletes rows in small batches until none is left or the signal aborts; returns how many. Rows that another process is
 * deleting are left to it, so that several may call this at once.
 */
export async function deleteInBatches({ table, where, values = [], signal }: Deletion): Promise<number> {
  const text = `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM ${table} WHERE ${where} LIMIT ${batchMax} FOR UPDATE SKIP LOCKED)) RETURNING 1 AS gone`;
  let deleted = 0;
  while (signal?.aborted !== true) {
    const { length } = await queryPlanned(text, values);
    deleted += length;
    if (length < batchMax) break;
  }
  return deleted;
}
