import { randomInt } from "node:crypto";
import { notOfDraft } from "#lib/executions/search/execution-filter.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { bucketOf } from "./duration-buckets.ts";
import { commonShard } from "./rollup-rows.ts";

interface Counting {
  /** The CTE of ended runs, with the columns `workspace_id`, `flow_id`, `source`, `started_at`, `status`, `duration_ms` and `error_message`. */
  readonly ended: string;
  /** Whether to add them or, on deletion, subtract them. */
  readonly sign: "+" | "-";
  /** The shard to write to, as SQL. */
  readonly shard: string;
  /** False if none of the runs failed: a shorter statement is cheaper to plan. */
  readonly withErrors?: boolean;
}

/**
 * The hour (UTC) under which a run is counted. Not date_trunc, which looks up the time zone for every row and takes
 * five times as long as reading the row.
 */
export const hourOfRun = "date_bin('1 hour', started_at, '2000-01-01T00:00:00Z')";

/**
 * CTEs that update the rollups in the statement that ends or deletes runs, so counts and rows cannot disagree. Rows are
 * written in a fixed order, so concurrent statements do not deadlock.
 */
export function countEnded({ ended, sign, shard, withErrors = true }: Counting): string {
  const count = (status: string) => `${sign}count(*) FILTER (WHERE status = '${status}')`;
  return `
  counted AS (
    INSERT INTO run_count AS r (workspace_id, flow_id, at, source, shard, completed, failed, cancelled, timeout,
                                       completed_duration, total_duration, last_started_at)
    SELECT workspace_id, flow_id, ${hourOfRun}, source, ${shard},
      ${count("completed")}, ${count("failed")}, ${count("cancelled")}, ${count("timeout")},
      ${sign}coalesce(sum(duration_ms) FILTER (WHERE status = 'completed'), 0), ${sign}coalesce(sum(duration_ms), 0),
      ${sign === "+" ? "max(started_at)" : "NULL::timestamptz"}
    FROM ${ended} GROUP BY 1, 2, 3, 4 ORDER BY 2, 3, 4
    ${addToCounts}),
  counted_durations AS (
    INSERT INTO duration_count AS r (workspace_id, flow_id, at, bucket, shard, runs)
    SELECT workspace_id, flow_id, ${hourOfRun}, ${bucketOf("duration_ms")}, ${shard}, ${sign}count(*)
    FROM ${ended} WHERE status = 'completed' AND ${notOfDraft} GROUP BY 1, 2, 3, 4 ORDER BY 2, 3, 4
    ${addToRuns("bucket")})${withErrors ? `,${countErrors({ ended, sign, shard })}` : ""}`;
}

function countErrors({ ended, sign, shard }: Counting): string {
  return `
  counted_errors AS (
    INSERT INTO error_count AS r (workspace_id, flow_id, at, hash, shard, runs, message)
    SELECT workspace_id, flow_id, ${hourOfRun}, md5(error_message)::uuid, ${shard}, ${sign}count(*), error_message
    FROM ${ended} WHERE error_message IS NOT NULL AND ${notOfDraft} GROUP BY 1, 2, 3, 4, error_message ORDER BY 2, 3, 4
    ${addToRuns("hash")})`;
}

/** How an INSERT into `run_count AS r` adds counts to an existing row. */
export const addToCounts = `ON CONFLICT (workspace_id, flow_id, shard, at, source) DO UPDATE SET
      completed = r.completed + excluded.completed, failed = r.failed + excluded.failed,
      cancelled = r.cancelled + excluded.cancelled, timeout = r.timeout + excluded.timeout,
      completed_duration = r.completed_duration + excluded.completed_duration,
      total_duration = r.total_duration + excluded.total_duration,
      last_started_at = greatest(r.last_started_at, excluded.last_started_at)`;

/** The same for the rollups with one more key. */
export function addToRuns(key: "bucket" | "hash"): string {
  return `ON CONFLICT (workspace_id, flow_id, shard, at, ${key}) DO UPDATE SET runs = r.runs + excluded.runs`;
}

const free = () => singleton<number[]>("rollup-shards", () => []);

/** Reserves a shard of the rollups that no other statement is writing to, so none waits for another's row. */
export async function withShard<T>(work: (shard: number) => Promise<T>): Promise<T> {
  const shard = free().pop() ?? randomInt(commonShard + 1, 2 ** 31 - 1);
  try {
    return await work(shard);
  } finally {
    free().push(shard);
  }
}
