import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { database, query } from "#lib/platform/database.ts";
import { cancelRow } from "./cancel-execution.ts";
import { findExecution } from "./find-execution.ts";
import { runWatch } from "./watch-runs.ts";

/** Deletes one record with all that belongs to it; a run that has not ended is cancelled first. Throws NOT_FOUND. */
export async function deleteExecution(actor: Actor, id: string): Promise<null> {
  const { status } = await findExecution(actor, id);
  if (status === "pending" || status === "running") await cancelRow(id, new Date().toISOString(), null);
  if ((await deleteRows([id])) === 0) throw notFound("Execution");
  await recordChange(database(), actor, { action: "executions.deleted", id, after: { count: 1 } });
  return null;
}

// Counts go down with the rows that they count, in the same statement.
const remove = `
  WITH gone AS (
    DELETE FROM execution WHERE id = ANY($1::text[]) AND status NOT IN ('pending', 'running')
    RETURNING id, workspace_id, flow_id, started_at, status, duration_ms),
  nodes AS (DELETE FROM node_execution WHERE execution_id IN (SELECT id FROM gone)),
  waits AS (DELETE FROM execution_wait WHERE execution_id IN (SELECT id FROM gone)),
  logs AS (DELETE FROM log_entry WHERE execution_id IN (SELECT id FROM gone)),
  counts AS (
    INSERT INTO execution_rollup (workspace_id, flow_id, day, shard, completed, failed, cancelled, timeout,
                                  completed_duration, total_duration)
    SELECT workspace_id, flow_id, (started_at AT TIME ZONE 'UTC')::date, 0,
      -count(*) FILTER (WHERE status = 'completed'), -count(*) FILTER (WHERE status = 'failed'),
      -count(*) FILTER (WHERE status = 'cancelled'), -count(*) FILTER (WHERE status = 'timeout'),
      -coalesce(sum(duration_ms) FILTER (WHERE status = 'completed'), 0), -coalesce(sum(duration_ms), 0)
    FROM gone GROUP BY 1, 2, 3 ORDER BY 2, 3
    ON CONFLICT (flow_id, day, shard) DO UPDATE SET
      completed = execution_rollup.completed + excluded.completed,
      failed = execution_rollup.failed + excluded.failed,
      cancelled = execution_rollup.cancelled + excluded.cancelled,
      timeout = execution_rollup.timeout + excluded.timeout,
      completed_duration = execution_rollup.completed_duration + excluded.completed_duration,
      total_duration = execution_rollup.total_duration + excluded.total_duration)
  SELECT id FROM gone`;

/** Deletes the records of these runs that have ended; gives how many there were. */
export async function deleteRows(ids: readonly string[]): Promise<number> {
  const deleted = await query<{ id: string }>("delete-executions", remove, [ids]);
  runWatch().changed(deleted.map((row) => row.id));
  return deleted.length;
}
