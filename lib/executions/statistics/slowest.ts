import { countExecutions } from "#lib/executions/search/count-executions.ts";
import type { ExecutionFilter } from "#lib/executions/search/execution-filter.ts";
import { findPage } from "#lib/executions/search/find-page.ts";
import { iso } from "#lib/platform/clock.ts";
import { database, query } from "#lib/platform/database.ts";
import { percentileOf } from "./duration-buckets.ts";
import { durationsByFlow } from "./durations-of-completed.ts";
import { nameOfFlow } from "./rollup-rows.ts";

const names = `SELECT flow_id, ${nameOfFlow} AS name FROM unnest($2::text[]) AS parts(flow_id)`;

/**
 * The flows whose completed runs have the highest 95th percentile of duration, of those that match a filter of flow and
 * span.
 */
export async function slowestFlows(filter: ExecutionFilter, most: number) {
  const flows = [...(await durationsByFlow(filter))].map(([flowId, durations]) => ({
    flowId,
    completed: [...durations.values()].reduce((sum, runs) => sum + runs, 0),
    p50: percentileOf(durations, 0.5) ?? 0,
    p95: percentileOf(durations, 0.95) ?? 0,
  }));
  const slowest = flows
    .sort((one, other) => other.p95 - one.p95 || (one.flowId < other.flowId ? -1 : 1))
    .slice(0, most);
  const values = [filter.workspaceId, slowest.map(({ flowId }) => flowId)];
  const rows = await query<{ flow_id: string; name: string }>("names-of-flows", names, values);
  const nameOf = new Map(rows.map((row) => [row.flow_id, row.name]));
  return slowest.map((flow) => ({ ...flow, flowName: nameOf.get(flow.flowId) ?? "" }));
}

const slowestMax = 10;

/** The matching runs that took longest; ties put the latest first. */
export async function slowestExecutions(filter: ExecutionFilter) {
  const wish = { sortBy: "duration", order: "desc", offset: 0, limit: slowestMax } as const;
  const { ended } = await countExecutions(filter);
  const ids = await findPage(filter, { ended, open: 0, days: null }, wish);
  const where = { workspaceId: filter.workspaceId, id: { in: ids } };
  const rows = await database().execution.findMany({ where, select: { id: true, durationMs: true, startedAt: true } });
  return rows
    .sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
    .map((row) => ({ executionId: row.id, duration: row.durationMs ?? 0, startedAt: iso(row.startedAt) }));
}
