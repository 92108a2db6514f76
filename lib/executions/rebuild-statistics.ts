import { queryPlanned, queryUnderLock } from "#lib/platform/database.ts";
import { addToCounts, addToRuns, dayOfRun } from "./count-ended.ts";
import { bucketOf } from "./duration-buckets.ts";
import { commonShard } from "./rollup-shard.ts";

/** Corrections are made one after the other: two at once would each put right the same mistake. */
const rebuildLock = 72_707_371n;

/** Days that are compared at once, so that no statement lasts long. */
const daysAtOnce = 7;

/** A rollup: what it is counted by, what it counts, and how the runs themselves are counted. */
interface Rollup {
  readonly table: string;
  readonly keys: readonly string[];
  readonly measures: readonly string[];
  /** SQL of the keys and measures, over rows of `execution`. */
  readonly actual: string;
  readonly conflict: string;
  /** Columns that are not compared, of the runs and of the rollup's own row. */
  readonly extra?: { readonly column: string; readonly actual: string };
}

const countOf = (status: string) => `count(*) FILTER (WHERE status = '${status}') AS ${status}`;

const rollups: readonly Rollup[] = [
  {
    table: "execution_rollup",
    keys: ["flow_id", "day", "source"],
    measures: ["completed", "failed", "cancelled", "timeout", "completed_duration", "total_duration"],
    actual: `flow_id, ${dayOfRun} AS day, source, ${["completed", "failed", "cancelled", "timeout"].map(countOf).join(", ")},
      coalesce(sum(duration_ms) FILTER (WHERE status = 'completed'), 0) AS completed_duration,
      coalesce(sum(duration_ms), 0) AS total_duration, max(started_at) AS extra
      FROM execution WHERE true`,
    conflict: addToCounts,
    extra: { column: "last_started_at", actual: "a.extra" },
  },
  {
    table: "duration_rollup",
    keys: ["flow_id", "day", "bucket"],
    measures: ["runs"],
    actual: `flow_id, ${dayOfRun} AS day, ${bucketOf("duration_ms")} AS bucket, count(*) AS runs
      FROM execution WHERE status = 'completed'`,
    conflict: addToRuns("bucket"),
  },
  {
    table: "error_rollup",
    keys: ["flow_id", "day", "hash"],
    measures: ["runs"],
    actual: `flow_id, ${dayOfRun} AS day, md5(error_message)::uuid AS hash, count(*) AS runs, min(error_message) AS extra
      FROM execution WHERE error_message IS NOT NULL`,
    conflict: addToRuns("hash"),
    extra: { column: "message", actual: "coalesce(a.extra, k.extra)" },
  },
];

/**
 * What the runs come to less what the rollup says is added to the rollup. One statement sees both at one moment, and the
 * statements that end runs change both at one moment: what they add meanwhile is not lost, and nothing waits.
 */
function correct({ table, keys, measures, actual, conflict, extra }: Rollup): string {
  const columns = keys.join(", ");
  const differs = measures.map((name) => `coalesce(a.${name}, 0) <> coalesce(k.${name}, 0)`).join(" OR ");
  const differences = measures.map((name) => `coalesce(a.${name}, 0) - coalesce(k.${name}, 0)`).join(", ");
  return `
    WITH a AS (
      SELECT ${actual} AND workspace_id = $1 AND completed_at IS NOT NULL
        AND started_at >= $2::date::timestamp AT TIME ZONE 'UTC' AND started_at < $3::date::timestamp AT TIME ZONE 'UTC'
      GROUP BY ${columns}),
    k AS (
      SELECT ${columns}, ${measures.map((name) => `sum(${name}) AS ${name}`).join(", ")}
        ${extra ? `, max(${extra.column}) AS extra` : ""}
      FROM ${table} WHERE workspace_id = $1 AND day >= $2::date AND day < $3::date GROUP BY ${columns})
    INSERT INTO ${table} AS r (workspace_id, ${columns}, shard, ${measures.join(", ")}${extra ? `, ${extra.column}` : ""})
    SELECT $1, ${columns}, ${commonShard}, ${differences}${extra ? `, ${extra.actual}` : ""}
    FROM a FULL JOIN k USING (${columns}) WHERE ${differs} ORDER BY ${columns}
    ${conflict} RETURNING 1 AS corrected`;
}

const spans = `
  SELECT workspace_id AS id, min(first)::text AS first, max(last)::text AS last FROM (
    SELECT workspace_id, min(${dayOfRun}) AS first, max(${dayOfRun}) AS last FROM execution
    WHERE completed_at IS NOT NULL GROUP BY 1
    UNION ALL SELECT workspace_id, min(day), max(day) FROM execution_rollup GROUP BY 1
    UNION ALL SELECT workspace_id, min(day), max(day) FROM duration_rollup GROUP BY 1
    UNION ALL SELECT workspace_id, min(day), max(day) FROM error_rollup GROUP BY 1) AS spans
  GROUP BY 1`;

/** Compares all rollups with the runs that are stored and corrects them, while runs go on starting and ending. */
export async function rebuildStatistics(): Promise<{ workspaces: number; corrections: number }> {
  const workspaces = await queryPlanned<{ id: string; first: string; last: string }>(spans, []);
  let corrections = 0;
  for (const { id, first, last } of workspaces) {
    for (let day = first; day <= last; day = later(day)) {
      for (const rollup of rollups) {
        corrections += (await queryUnderLock(rebuildLock, correct(rollup), [id, day, later(day)])).length;
      }
    }
  }
  return { workspaces: workspaces.length, corrections };
}

function later(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + daysAtOnce * 86_400_000).toISOString().slice(0, 10);
}
