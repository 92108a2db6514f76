import { inTransaction, type RunStatement } from "#lib/platform/database.ts";
import { countEnded } from "./count-ended.ts";
import { commonShard } from "./rollup-rows.ts";

// Counts go down with the rows that they count. A step that waits for an execution which has not ended yet keeps its
// row: by that the execution is found, and cancelled (`cancelForsaken`).
const remove = `
  WITH gone AS (
    DELETE FROM execution WHERE id = ANY($1::text[])
    RETURNING id, workspace_id, flow_id, source, started_at, status, duration_ms, error_message),
  nodes AS (DELETE FROM node_execution WHERE execution_id IN (SELECT id FROM gone)),
  waits AS (DELETE FROM execution_wait w WHERE execution_id IN (SELECT id FROM gone) AND NOT EXISTS (
    SELECT FROM execution c WHERE c.id = w.waited_id AND c.status IN ('pending', 'running'))),
  logs AS (DELETE FROM log_entry WHERE execution_id IN (SELECT id FROM gone)),
  ${countEnded({ ended: "gone", sign: "-", shard: String(commonShard) })}
  SELECT id FROM gone`;

interface Chosen {
  /** By which the statement is known. */
  readonly name: string;
  readonly condition: string;
  /** How many rows are locked, and how. */
  readonly rest: string;
}

/**
 * Deletes the chosen runs that have ended, with all that belongs to them; gives their ids. `along`: what else is
 * written in the transaction if there were any.
 *
 * The rows are locked by a statement of their own: who records or unfolds a run locks its row first, so that whatever
 * they wrote is there for the second statement to see, and they find no run after it.
 */
export function deleteEnded(
  { name, condition, rest }: Chosen,
  values: readonly unknown[],
  along: (run: RunStatement, count: number) => Promise<void> = async () => {},
): Promise<string[]> {
  const lock = `SELECT id FROM execution WHERE ${condition} AND completed_at IS NOT NULL ${rest}`;
  return inTransaction(async (run) => {
    const locked = await run<{ id: string }>(`lock-${name}`, lock, values);
    if (locked.length === 0) return [];
    const gone = await run<{ id: string }>("delete-ended", remove, [locked.map(({ id }) => id)]);
    await along(run, gone.length);
    return gone.map(({ id }) => id);
  });
}
