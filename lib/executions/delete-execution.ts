import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { database, query } from "#lib/platform/database.ts";
import { cancelRow } from "./cancel-execution.ts";
import { countEnded } from "./count-ended.ts";
import { findExecution } from "./find-execution.ts";
import { commonShard } from "./rollup-shard.ts";
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
    DELETE FROM execution WHERE id = ANY($1::text[]) AND completed_at IS NOT NULL
    RETURNING id, workspace_id, flow_id, source, started_at, status, duration_ms, error_message),
  nodes AS (DELETE FROM node_execution WHERE execution_id IN (SELECT id FROM gone)),
  waits AS (DELETE FROM execution_wait WHERE execution_id IN (SELECT id FROM gone)),
  logs AS (DELETE FROM log_entry WHERE execution_id IN (SELECT id FROM gone)),
  ${countEnded({ ended: "gone", sign: "-", shard: String(commonShard) })}
  SELECT id FROM gone`;

/** Deletes the records of these runs that have ended; gives how many there were. */
export async function deleteRows(ids: readonly string[]): Promise<number> {
  const deleted = await query<{ id: string }>("delete-executions", remove, [ids]);
  runWatch().changed(deleted.map((row) => row.id));
  return deleted.length;
}
