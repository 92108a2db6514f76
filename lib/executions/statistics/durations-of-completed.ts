import {
  conditionsOf,
  type ExecutionFilter,
  hasStatus,
  parameters,
  spanOf,
} from "#lib/executions/search/execution-filter.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import { countedParts } from "./counted-parts.ts";
import { type BucketCounts, bucketOf } from "./duration-buckets.ts";
import { rollupRows } from "./rollup-rows.ts";

const completed = hasStatus(["completed"], "ended");

/** The durations of completed runs that match a filter of flow and span. */
export async function durationsOfCompleted(filter: ExecutionFilter): Promise<BucketCounts> {
  const rows = await readDurations<{ bucket: number; runs: number }>(filter, ["bucket"]);
  return new Map(rows.map(({ bucket, runs }) => [bucket, runs]));
}

/** The same, flow by flow. */
export async function durationsByFlow(filter: ExecutionFilter): Promise<ReadonlyMap<string, BucketCounts>> {
  const rows = await readDurations<{ flow_id: string; bucket: number; runs: number }>(filter, ["flow_id", "bucket"]);
  const byFlow = new Map<string, Map<number, number>>();
  for (const { flow_id: flowId, bucket, runs } of rows) {
    byFlow.set(flowId, (byFlow.get(flowId) ?? new Map<number, number>()).set(bucket, runs));
  }
  return byFlow;
}

/** How many runs there are by these columns, without zero counts. */
function readDurations<Row extends Record<string, unknown>>(filter: ExecutionFilter, by: readonly string[]) {
  const { bind, values } = parameters();
  const { from, to } = spanOf(filter);
  const parts = countedParts(from, to, "month");
  const each = by.includes("flow_id");
  const ofRun = by.map((column) => (column === "bucket" ? bucketOf("duration_ms") : column));
  const edges = parts.edges.map(
    ({ sign, ...span }) => `
    SELECT ${ofRun.join(", ")}, ${sign}count(*) FROM execution
    WHERE ${conditionsOf(filter, bind, span)} AND ${completed} GROUP BY ${by.map((_, index) => index + 1).join(", ")}`,
  );
  const counts = [rollupRows("duration_count", by.join(", "), filter, parts, bind, { each }), ...edges];
  return queryPlanned<Row>(
    `SELECT ${by.join(", ")}, sum(runs)::int AS runs FROM (${counts.join(" UNION ALL ")}) AS parts
     GROUP BY ${by.join(", ")} HAVING sum(runs) > 0`,
    values,
  );
}
