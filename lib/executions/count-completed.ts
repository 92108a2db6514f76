import { intArray, textArray, timeArray } from "#lib/platform/array-parameter.ts";
import { addToCounts, addToRuns } from "./count-ended.ts";
import { bucketAt } from "./duration-buckets.ts";

/** A run that has completed. `place`: where what it was started with stands in the CTE `started`. */
export interface CompletedRun {
  readonly place: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
}

/**
 * What `countEnded` does, for runs that all completed and are stored by one statement or not at all: they are counted
 * here, which takes the database a tenth less time for the statement. The CTE `started` has one row for each flow and
 * source, with its `place`. Parameters start at `$first`.
 */
export function countCompleted(first: number, shard: string): string {
  const at = (offset: number) => `$${first + offset}`;
  return `
  counted AS (
    INSERT INTO execution_rollup AS r (workspace_id, flow_id, day, source, shard, completed, failed, cancelled, timeout,
                                       completed_duration, total_duration, last_started_at)
    SELECT s.workspace_id, s.flow_id, c.day::date, s.source, ${shard}, c.runs, 0, 0, 0, c.duration::bigint,
      c.duration::bigint, c.last_started_at
    FROM unnest((SELECT ${at(0)}::int[]), ${at(1)}::text[], ${at(2)}::int[], ${at(3)}::text[], ${at(4)}::timestamptz[])
      AS c(place, day, runs, duration, last_started_at)
    JOIN started s ON s.place = c.place ORDER BY 2, 3, 4
    ${addToCounts}),
  counted_durations AS (
    INSERT INTO duration_rollup AS r (workspace_id, flow_id, day, bucket, shard, runs)
    SELECT s.workspace_id, s.flow_id, c.day::date, c.bucket, ${shard}, c.runs
    FROM unnest((SELECT ${at(5)}::int[]), ${at(6)}::text[], ${at(7)}::int[], ${at(8)}::int[])
      AS c(place, day, bucket, runs)
    JOIN started s ON s.place = c.place ORDER BY 2, 3, 4
    ${addToRuns("bucket")})`;
}

interface Count {
  readonly place: number;
  readonly day: string;
  runs: number;
  durationMs: number;
  lastStartedAt: string;
}

/** The parameters of `countCompleted`. */
export function completedColumns(runs: readonly CompletedRun[]): Buffer[] {
  const counts = new Map<string, Count>();
  const durations = new Map<string, Pick<Count, "place" | "day" | "runs"> & { readonly bucket: number }>();
  for (const { place, startedAt, durationMs } of runs) {
    const day = startedAt.slice(0, "2026-01-31".length);
    const count = counts.get(`${place} ${day}`);
    if (count === undefined) {
      counts.set(`${place} ${day}`, { place, day, runs: 1, durationMs, lastStartedAt: startedAt });
    } else {
      count.runs += 1;
      count.durationMs += durationMs;
      if (startedAt > count.lastStartedAt) count.lastStartedAt = startedAt;
    }
    const bucket = bucketAt(durationMs);
    const alike = durations.get(`${place} ${day} ${bucket}`);
    if (alike === undefined) durations.set(`${place} ${day} ${bucket}`, { place, day, bucket, runs: 1 });
    else alike.runs += 1;
  }
  const byDay = [...counts.values()];
  const byBucket = [...durations.values()];
  return [
    intArray(byDay.map(({ place }) => place)),
    textArray(byDay.map(({ day }) => day)),
    intArray(byDay.map((count) => count.runs)),
    textArray(byDay.map((count) => `${count.durationMs}`)),
    timeArray(byDay.map(({ lastStartedAt }) => lastStartedAt)),
    intArray(byBucket.map(({ place }) => place)),
    textArray(byBucket.map(({ day }) => day)),
    intArray(byBucket.map(({ bucket }) => bucket)),
    intArray(byBucket.map((count) => count.runs)),
  ];
}
