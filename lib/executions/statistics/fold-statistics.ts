import { ofDraft } from "#lib/executions/search/execution-filter.ts";
import { queryUnderLock } from "#lib/platform/database.ts";
import { addToCounts, addToRuns } from "./count-ended.ts";
import { countDaysOfOlderServers, statisticsLock } from "./rebuilding/older-servers.ts";
import { allFlows, allTime, isFolded, isUnfolded, measuresOf, shardOf, startOf } from "./rollup-rows.ts";

/** Rows that one statement folds. */
const rowsMax = 5_000;

const sumsOfCounts = [...measuresOf.run_count.map((name) => `sum(${name})`), "max(last_started_at)"];

/** A flow's total over all sources has no source. Runs of working copies, and what they start, have separate totals. */
export const sourceOfTotals = `(CASE WHEN ${ofDraft} THEN source ELSE '' END)`;

const folds = [
  fold({
    table: "run_count",
    key: "source",
    keyOfSums: `coalesce(source, ${sourceOfTotals}, '')`,
    sums: sumsOfCounts,
    conflict: addToCounts,
    total: `workspace_id, flow_id, ${sourceOfTotals}`,
  }),
  fold({ table: "duration_count", key: "bucket", sums: ["sum(runs)"], conflict: addToRuns("bucket") }),
  fold({
    table: "error_count",
    key: "hash",
    sums: ["sum(runs)", "min(message)"],
    conflict: addToRuns("hash"),
    total: "workspace_id, hash",
  }),
];

interface Folding {
  readonly table: string;
  readonly key: string;
  /** The key of the folded rows as SQL, if it is not the column itself. */
  readonly keyOfSums?: string;
  readonly sums: readonly string[];
  readonly conflict: string;
  /** What an all-time total is grouped by. */
  readonly total?: string;
}

/**
 * Folds sharded rows into the rows that reads use: the flow's hour, day and month, those of all flows and, if given, an
 * all-time total. It is one statement, so every read sees each count once. It skips rows that are locked by the end of
 * a run; neither waits for the other.
 */
function fold({ table, key, keyOfSums = key, sums, conflict, total }: Folding): string {
  const columns = sums.map((sum) => sum.replace(/^\w+\((\w+)\)$/, "$1")).join(", ");
  const units = ["hour", "day", "month"].flatMap((unit) => [
    `workspace_id, flow_id, ${unit}, ${key}`,
    `workspace_id, ${unit}, ${key}`,
  ]);
  const levels = [...units, total ?? []].flat();
  return `
    WITH gone AS (
      DELETE FROM ${table} WHERE ${isUnfolded} AND ctid = ANY(ARRAY(
        SELECT ctid FROM ${table} WHERE ${isUnfolded} LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)) RETURNING *),
    counted AS (
      SELECT *, at AS hour, ${startOf("day")} AS day, ${startOf("month")} AS month FROM gone),
    added AS (
      INSERT INTO ${table} AS r (workspace_id, flow_id, at, ${key}, shard, ${columns})
      SELECT workspace_id, coalesce(flow_id, ${allFlows}), coalesce(hour, day, month, ${allTime}), ${keyOfSums},
        CASE WHEN hour IS NOT NULL THEN ${shardOf.hour} WHEN day IS NOT NULL THEN ${shardOf.day}
          WHEN month IS NOT NULL THEN ${shardOf.month} ELSE ${shardOf.allTime} END,
        ${sums.join(", ")}
      FROM counted GROUP BY GROUPING SETS (${levels.map((level) => `(${level})`).join(", ")})
      ORDER BY 1, 2, 5, 3, 4 ${conflict})
    SELECT 1 AS folded FROM gone`;
}

// An existing flow keeps its total, which holds when the flow last ran.
const removals = [
  `DELETE FROM run_count r WHERE ${isFolded} AND ${measuresOf.run_count.map((name) => `${name} = 0`).join(" AND ")}
     AND (shard > ${shardOf.allTime} OR NOT EXISTS (SELECT FROM flow f WHERE f.id = r.flow_id))`,
  `DELETE FROM duration_count WHERE ${isFolded} AND runs = 0`,
  `DELETE FROM error_count WHERE ${isFolded} AND runs = 0`,
];

/** Folds the counts that were added to the rollups since the last time. */
export async function foldStatistics(): Promise<void> {
  await countDaysOfOlderServers();
  for (const text of folds) {
    while ((await queryUnderLock(statisticsLock, text, [])).length === rowsMax);
  }
}

/** Removes rollup rows whose counts are all zero. */
export async function removeEmptyStatistics(): Promise<void> {
  for (const text of removals) await queryUnderLock(statisticsLock, text, []);
}
