import { deleteInBatches } from "#lib/platform/database/delete-in-batches.ts";
import { query, queryPlanned } from "#lib/platform/database.ts";

interface Removal extends Record<string, unknown> {
  readonly table_id: string;
  readonly column_id: number;
}

const removalsMax = 100;

/** What a deleted table or column leaves: by table, the condition that finds its rows. */
const ofTable = ["table_row", "table_key", "table_size"].map((table) => ({ table, where: "table_id = $1" }));
const ofColumn = [{ table: "table_key", where: "table_id = $1 AND column_id = $2" }];

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
  { table, where }: (typeof ofColumn)[number],
  values: readonly unknown[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  await deleteInBatches({ table, where, values, signal });
  if (signal?.aborted === true) return false;
  return (await queryPlanned(`SELECT 1 AS found FROM ${table} WHERE ${where} LIMIT 1`, values)).length === 0;
}

const isOfEndedRun = `created_at < now() - interval '1 hour' AND NOT EXISTS (
  SELECT FROM execution e WHERE e.id = execution_id AND e.status IN ('pending', 'running'))`;

/** Deletes the effect records of ended runs, whose steps cannot start again. Stops when aborted. */
export async function sweepStepEffects(signal?: AbortSignal): Promise<number> {
  return await deleteInBatches({ table: "step_effect", where: isOfEndedRun, signal });
}
