import { query, queryPlanned } from "#lib/platform/database.ts";

interface Removal extends Record<string, unknown> {
  readonly table_id: string;
  readonly column_id: number;
}

/** Rows per statement. */
const batchMax = 5_000;
const removalsMax = 100;

interface RemovalStatements {
  readonly deleteSome: string;
  readonly findOne: string;
}

const batch = (table: string, where: string) => `
  DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM ${table} WHERE ${where} LIMIT ${batchMax} FOR UPDATE SKIP LOCKED)) RETURNING 1 AS gone`;
const removalStatements = (table: string, where: string): RemovalStatements => {
  return { deleteSome: batch(table, where), findOne: `SELECT 1 AS found FROM ${table} WHERE ${where} LIMIT 1` };
};
const ofTable = ["table_row", "table_key", "table_size"].map((table) => removalStatements(table, "table_id = $1"));
const ofColumn = [removalStatements("table_key", "table_id = $1 AND column_id = $2")];

/**
 * Deletes the rows and values of deleted tables and columns, in small batches, until aborted; returns how many it
 * finished. Safe to call in several processes at once.
 */
export async function finishTableRemovals(signal?: AbortSignal): Promise<number> {
  const text = `SELECT table_id, column_id FROM table_removal ORDER BY created_at LIMIT ${removalsMax}`;
  const removals = await query<Removal>("table-removals", text, []);
  let finished = 0;
  for (const { table_id: tableId, column_id: columnId } of removals) {
    const [parts, values] = columnId === 0 ? [ofTable, [tableId]] : [ofColumn, [tableId, columnId]];
    let isLeft = false;
    for (const part of parts) isLeft = !(await isEmptied(part, values, signal)) || isLeft;
    if (isLeft) continue;
    const forget = "DELETE FROM table_removal WHERE table_id = $1 AND column_id = $2";
    await query("finish-table-removal", forget, [tableId, columnId]);
    finished += 1;
  }
  return finished;
}

/** Deletes rows until none is left; false if aborted, or if another process is still deleting some. */
async function isEmptied(
  { deleteSome, findOne }: RemovalStatements,
  values: readonly unknown[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  while (signal?.aborted !== true) {
    const { length } = await queryPlanned(deleteSome, values);
    if (length < batchMax) return (await queryPlanned(findOne, values)).length === 0;
  }
  return false;
}

const sweepEffects = batch(
  "step_effect",
  `created_at < now() - interval '1 hour' AND NOT EXISTS (
     SELECT FROM execution e WHERE e.id = execution_id AND e.status IN ('pending', 'running'))`,
);

/** Deletes the effect records of ended runs, whose steps cannot start again. Stops when aborted. */
export async function sweepStepEffects(signal?: AbortSignal): Promise<number> {
  let swept = 0;
  while (signal?.aborted !== true) {
    const { length } = await queryPlanned(sweepEffects, []);
    swept += length;
    if (length < batchMax) break;
  }
  return swept;
}
