import { ofDraft } from "#lib/executions/search/execution-filter.ts";
import { queryUnderLock } from "#lib/platform/database.ts";
import { addToCounts, addToRuns } from "./count-ended.ts";
import { allDays, allFlows, foldedShard } from "./rollup-rows.ts";

/** Held by whoever folds or corrects rollups. */
export const statisticsLock = 72_707_371n;

/** Rows that one statement folds. */
const rowsMax = 10_000;

const counts = ["completed", "failed", "cancelled", "timeout", "completed_duration", "total_duration"];
const sumsOfCounts = [...counts.map((name) => `sum(${name})`), "max(last_started_at)"];

/** A flow's total of all sources has none; runs of working copies, and what they start, have totals of their own. */
export const sourceOfTotals = `(CASE WHEN ${ofDraft} THEN source ELSE '' END)`;

const folds = [
  fold(
    "execution_rollup",
    "source",
    `coalesce(source, ${sourceOfTotals}, '')`,
    sumsOfCounts,
    addToCounts,
    `workspace_id, flow_id, ${sourceOfTotals}`,
  ),
  fold("duration_rollup", "bucket", "bucket", ["sum(runs)"], addToRuns("bucket")),
  fold("error_rollup", "hash", "hash", ["sum(runs)", "min(message)"], addToRuns("hash"), "workspace_id, hash"),
];

/**
 * Moves rows from their shards to where reads are fast: the flow's day, the day of all flows and, if given, an all-time
 * total. It is one statement, so every read sees each count once. It skips rows that the end of a run is writing;
 * neither waits for the other.
 */
function fold(
  table: string,
  key: string,
  keyOfSums: string,
  sums: readonly string[],
  conflict: string,
  total?: string,
): string {
  const columns = sums.map((sum) => sum.replace(/^\w+\((\w+)\)$/, "$1")).join(", ");
  const levels = [`workspace_id, flow_id, day, ${key}`, `workspace_id, day, ${key}`, total ?? []].flat();
  return `
    WITH gone AS (
      DELETE FROM ${table} WHERE shard <> ${foldedShard} AND ctid = ANY(ARRAY(
        SELECT ctid FROM ${table} WHERE shard <> ${foldedShard} LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)) RETURNING *),
    added AS (
      INSERT INTO ${table} AS r (workspace_id, flow_id, day, ${key}, shard, ${columns})
      SELECT workspace_id, coalesce(flow_id, ${allFlows}), coalesce(day, ${allDays}),
        ${keyOfSums}, ${foldedShard}, ${sums.join(", ")}
      FROM gone GROUP BY GROUPING SETS (${levels.map((level) => `(${level})`).join(", ")})
      ORDER BY 1, 2, 3, 4 ${conflict})
    SELECT 1 AS folded FROM gone`;
}

// An existing flow's total stays: it knows when the flow last ran.
const removals = [
  `DELETE FROM execution_rollup r WHERE shard = ${foldedShard} AND ${counts.map((name) => `${name} = 0`).join(" AND ")}
     AND (day > ${allDays} OR NOT EXISTS (SELECT FROM flow f WHERE f.id = r.flow_id))`,
  `DELETE FROM duration_rollup WHERE shard = ${foldedShard} AND runs = 0`,
  `DELETE FROM error_rollup WHERE shard = ${foldedShard} AND runs = 0`,
];

/** Makes what the rollups were given since the last time fast to read. */
export async function foldStatistics(): Promise<void> {
  for (const text of folds) {
    while ((await queryUnderLock(statisticsLock, text, [])).length === rowsMax);
  }
}

/** Removes rollup rows whose counts are all zero. */
export async function removeEmptyStatistics(): Promise<void> {
  for (const text of removals) await queryUnderLock(statisticsLock, text, []);
}
