import { countExecutions } from "#lib/executions/search/count-executions.ts";
import {
  conditionsOf,
  type ExecutionFilter,
  hasStatus,
  parameters,
  spanOf,
} from "#lib/executions/search/execution-filter.ts";
import { findPage } from "#lib/executions/search/find-page.ts";
import { iso } from "#lib/platform/clock.ts";
import { database, query, queryPlanned } from "#lib/platform/database.ts";
import { countedParts } from "./counted-parts.ts";
import { type BucketCounts, bucketOf, percentileOf } from "./duration-buckets.ts";
import { nameOfFlow, rollupRows } from "./rollup-rows.ts";

const names = `SELECT flow_id, ${nameOfFlow} AS name FROM unnest($2::text[]) AS parts(flow_id)`;

/** The flows with the highest 95th percentile of duration over completed runs that match a filter of flow and span. */
export async function slowestFlows(filter: ExecutionFilter, limit: number) {
  const flows = [...(await durationsByFlow(filter))].map(([flowId, durations]) => ({
    flowId,
    completed: [...durations.values()].reduce((sum, runs) => sum + runs, 0),
    p50: percentileOf(durations, 0.5) ?? 0,
    p95: percentileOf(durations, 0.95) ?? 0,
  }));
  const slowest = flows.sort((a, b) => b.p95 - a.p95 || (a.flowId < b.flowId ? -1 : 1)).slice(0, limit);
  const values = [filter.workspaceId, slowest.map(({ flowId }) => flowId)];
  const rows = await query<{ flow_id: string; name: string }>("names-of-flows", names, values);
  const nameOf = new Map(rows.map((row) => [row.flow_id, row.name]));
  return slowest.map((flow) => ({ ...flow, flowName: nameOf.get(flow.flowId) ?? "" }));
}

const slowestMax = 10;

/** The longest matching runs; on ties, the latest first. */
export async function slowestExecutions(filter: ExecutionFilter) {
  const request = { sortBy: "duration", order: "desc", offset: 0, limit: slowestMax } as const;
  const { ended } = await countExecutions(filter);
  const ids = await findPage(filter, { ended, open: 0, days: null }, request);
  const where = { workspaceId: filter.workspaceId, id: { in: ids } };
  const rows = await database().execution.findMany({ where, select: { id: true, durationMs: true, startedAt: true } });
  return rows
    .sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    .map((row) => ({ executionId: row.id, duration: row.durationMs ?? 0, startedAt: iso(row.startedAt) }));
}

const completed = hasStatus(["completed"], "ended");

/** The durations of completed runs that match a filter of flow and span. */
export async function durationsOfCompleted(filter: ExecutionFilter): Promise<BucketCounts> {
  const rows = await readDurations<{ bucket: number; runs: number }>(filter, ["bucket"]);
  return new Map(rows.map(({ bucket, runs }) => [bucket, runs]));
}

/** The same by flow. */
async function durationsByFlow(filter: ExecutionFilter): Promise<ReadonlyMap<string, BucketCounts>> {
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
  const perFlow = by.includes("flow_id");
  const ofRun = by.map((column) => (column === "bucket" ? bucketOf("duration_ms") : column));
  const edges = parts.edges.map(
    ({ sign, ...span }) => `
    SELECT ${ofRun.join(", ")}, ${sign}count(*) FROM execution
    WHERE ${conditionsOf(filter, bind, span)} AND ${completed} GROUP BY ${by.map((_, index) => index + 1).join(", ")}`,
  );
  const counts = [rollupRows("duration_count", by.join(", "), { filter, parts, bind, perFlow }), ...edges];
  return queryPlanned<Row>(
    `SELECT ${by.join(", ")}, sum(runs)::int AS runs FROM (${counts.join(" UNION ALL ")}) AS parts
     GROUP BY ${by.join(", ")} HAVING sum(runs) > 0`,
    values,
  );
}
