import { countEnded } from "./count-ended.ts";
import { commonShard } from "./rollup-rows.ts";

/**
 * The statement that deletes ended runs for which the condition holds, with all that belongs to them. Counts go down with
 * the rows that they count. Gives the ids.
 */
export function deleteEnded(condition: string): string {
  return `
  WITH gone AS (
    DELETE FROM execution WHERE ${condition} AND completed_at IS NOT NULL
    RETURNING id, workspace_id, flow_id, source, started_at, status, duration_ms, error_message),
  nodes AS (DELETE FROM node_execution WHERE execution_id IN (SELECT id FROM gone)),
  waits AS (DELETE FROM execution_wait WHERE execution_id IN (SELECT id FROM gone)),
  logs AS (DELETE FROM log_entry WHERE execution_id IN (SELECT id FROM gone)),
  ${countEnded({ ended: "gone", sign: "-", shard: String(commonShard) })}
  SELECT id FROM gone`;
}
