import type { ShownOverview } from "#lib/contract/execution-overview.ts";
import { percentileOf } from "./duration-buckets.ts";
import { durationsOfCompleted } from "./durations-of-completed.ts";
import { endedByPeriod } from "./ended-by-period.ts";
import type { EndedStatus, ExecutionFilter } from "./execution-filter.ts";
import { openByPeriod } from "./open-by-period.ts";

/** What the runs come to that a filter of flow and span fits. */
export async function overviewFigures(filter: ExecutionFilter): Promise<ShownOverview["current"]> {
  const [ended, open, durations] = await Promise.all([
    endedByPeriod(filter, "month"),
    openByPeriod(filter, "month"),
    durationsOfCompleted(filter),
  ]);
  const endedOf = (status: EndedStatus) => ended.reduce((sum, month) => sum + month[status], 0);
  const openOf = (status: "pending" | "running") => open.reduce((sum, month) => sum + month[status], 0);
  const counts = {
    pending: openOf("pending"),
    running: openOf("running"),
    completed: endedOf("completed"),
    failed: endedOf("failed"),
    cancelled: endedOf("cancelled"),
    timeout: endedOf("timeout"),
  };
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const final = total - counts.pending - counts.running;
  return {
    total,
    ...counts,
    successRate: final === 0 ? null : Math.round((counts.completed / final) * 10_000) / 100,
    p50: percentileOf(durations, 0.5),
    p95: percentileOf(durations, 0.95),
  };
}
