import { endedStatuses, notOfDraft } from "#lib/executions/search/execution-filter.ts";
import { addToCounts, addToRuns } from "../count-ended.ts";
import { bucketOf } from "../duration-buckets.ts";

/** A rollup: its key besides flow and time, its measures, and how to compute them from the runs. */
export interface Rollup {
  readonly table: "run_count" | "duration_count" | "error_count";
  readonly key: string;
  readonly measures: readonly string[];
  readonly conflict: string;
  /** SQL over rows of `execution`. */
  readonly keyOfRuns: string;
  readonly measuresOfRuns: string;
  readonly which: string;
  /** A column that is not compared. */
  readonly extra?: { readonly column: string; readonly ofRuns: string; readonly sum: string };
}

const countOf = (status: string) => `count(*) FILTER (WHERE status = '${status}') AS ${status}`;

const runs: Rollup = {
  table: "run_count",
  key: "source",
  measures: [...endedStatuses, "completed_duration", "total_duration"],
  conflict: addToCounts,
  keyOfRuns: "source",
  measuresOfRuns: `${endedStatuses.map(countOf).join(", ")},
    coalesce(sum(duration_ms) FILTER (WHERE status = 'completed'), 0) AS completed_duration,
    coalesce(sum(duration_ms), 0) AS total_duration`,
  which: "true",
  extra: { column: "last_started_at", ofRuns: "max(started_at)", sum: "max(last_started_at)" },
};

const durations: Rollup = {
  table: "duration_count",
  key: "bucket",
  measures: ["runs"],
  conflict: addToRuns("bucket"),
  keyOfRuns: bucketOf("duration_ms"),
  measuresOfRuns: "count(*) AS runs",
  which: `status = 'completed' AND ${notOfDraft}`,
};

const errors: Rollup = {
  table: "error_count",
  key: "hash",
  measures: ["runs"],
  conflict: addToRuns("hash"),
  keyOfRuns: "md5(error_message)::uuid",
  measuresOfRuns: "count(*) AS runs",
  which: `error_message IS NOT NULL AND ${notOfDraft}`,
  extra: { column: "message", ofRuns: "min(error_message)", sum: "min(message)" },
};

export const rollups: readonly Rollup[] = [runs, durations, errors];
