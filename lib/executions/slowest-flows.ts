import { query } from "#lib/platform/database.ts";
import { percentileOf } from "./duration-buckets.ts";
import { durationsByFlow } from "./durations-of-completed.ts";
import type { ExecutionFilter } from "./execution-filter.ts";
import { nameOfFlow } from "./rollup-of-flows.ts";

const names = `SELECT flow_id, ${nameOfFlow} AS name FROM unnest($2::text[]) AS parts(flow_id)`;

/** The flows with the highest 95th percentile of how long completed runs took that a filter of flow and span fits. */
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
