import { query } from "#lib/platform/database.ts";
import { addToCounts, addToRuns } from "./count-ended.ts";
import { commonShard } from "./rollup-shard.ts";

const dayMs = 86_400_000;

const counts = ["completed", "failed", "cancelled", "timeout", "completed_duration", "total_duration"];

/** Of days that are over, the shards become one row; a run that ends later finds its shard gone and makes it anew. */
const folds = [
  fold("execution_rollup", "source", [...counts.map((name) => `sum(${name})`), "max(last_started_at)"], addToCounts),
  fold("duration_rollup", "bucket", ["sum(runs)"], addToRuns("bucket")),
  fold("error_rollup", "hash", ["sum(runs)", "min(message)"], addToRuns("hash")),
];

function fold(table: string, key: string, sums: readonly string[], conflict: string): string {
  const columns = sums.map((sum) => sum.replace(/^\w+\((\w+)\)$/, "$1")).join(", ");
  return `
    WITH gone AS (DELETE FROM ${table} WHERE day < $1::date AND shard <> ${commonShard} RETURNING *)
    INSERT INTO ${table} AS r (workspace_id, flow_id, day, ${key}, shard, ${columns})
    SELECT workspace_id, flow_id, day, ${key}, ${commonShard}, ${sums.join(", ")}
    FROM gone GROUP BY 1, 2, 3, 4 ORDER BY 2, 3, 4 ${conflict}`;
}

// The last row of a flow stays: it knows when the flow last ran.
const removals = [
  `DELETE FROM execution_rollup r WHERE day < $1::date AND shard = ${commonShard}
     AND ${counts.map((name) => `${name} = 0`).join(" AND ")}
     AND EXISTS (SELECT FROM execution_rollup o WHERE o.flow_id = r.flow_id AND o.last_started_at > r.last_started_at)`,
  `DELETE FROM duration_rollup WHERE day < $1::date AND shard = ${commonShard} AND runs = 0`,
  `DELETE FROM error_rollup WHERE day < $1::date AND shard = ${commonShard} AND runs = 0`,
];

/** Makes the rollups of days that are over as few rows as can be, and removes those that count nothing any more. */
export async function foldStatistics(now: Date): Promise<void> {
  const before = new Date(now.getTime() - dayMs).toISOString().slice(0, 10);
  for (const [index, text] of [...folds, ...removals].entries())
    await query(`fold-statistics-${index}`, text, [before]);
}
