import {
  conditionsOf,
  type ExecutionFilter,
  hasStatus,
  parameters,
  spanOf,
} from "#lib/executions/search/execution-filter.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import { countedDays } from "./counted-days.ts";
import { type BucketCounts, bucketOf } from "./duration-buckets.ts";
import { rollupOfFlows } from "./rollup-of-flows.ts";
import { rollupRows } from "./rollup-rows.ts";

const completed = hasStatus(["completed"], "ended");

/** The durations of completed runs that match a filter of flow and span. */
export async function durationsOfCompleted(filter: ExecutionFilter): Promise<BucketCounts> {
  const { bind, values } = parameters();
  const { from, to } = spanOf(filter);
  const days = countedDays(from, to);
  const edges = days.edges.map(
    ({ sign, ...span }) => `
    SELECT ${bucketOf("duration_ms")}, ${sign}count(*) FROM execution
    WHERE ${conditionsOf(filter, bind, span)} AND ${completed} GROUP BY 1`,
  );
  const parts = [rollupRows("duration_rollup", "bucket, runs", filter, days, bind), ...edges];
  const rows = await queryPlanned<{ bucket: number; runs: number }>(
    `SELECT bucket, sum(runs)::int AS runs FROM (${parts.join(" UNION ALL ")}) AS parts
     GROUP BY 1 HAVING sum(runs) > 0`,
    values,
  );
  return new Map(rows.map(({ bucket, runs }) => [bucket, runs]));
}

/** The same, flow by flow. */
export async function durationsByFlow(filter: ExecutionFilter): Promise<ReadonlyMap<string, BucketCounts>> {
  const { bind, values } = parameters();
  const { from, to } = spanOf(filter);
  const days = countedDays(from, to);
  const edges = days.edges.map(
    ({ sign, ...span }) => `
    SELECT flow_id, ${bucketOf("duration_ms")}, ${sign}count(*) FROM execution
    WHERE ${conditionsOf(filter, bind, span)} AND ${completed} GROUP BY 1, 2`,
  );
  const parts = [rollupOfFlows("duration_rollup", "flow_id, bucket, runs", filter, days, bind), ...edges];
  const rows = await queryPlanned<{ flow_id: string; bucket: number; runs: number }>(
    `SELECT flow_id, bucket, sum(runs)::int AS runs FROM (${parts.join(" UNION ALL ")}) AS parts
     GROUP BY 1, 2 HAVING sum(runs) > 0`,
    values,
  );
  const byFlow = new Map<string, Map<number, number>>();
  for (const { flow_id: flowId, bucket, runs } of rows) {
    byFlow.set(flowId, (byFlow.get(flowId) ?? new Map<number, number>()).set(bucket, runs));
  }
  return byFlow;
}
