import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { readStats as readStatsEndpoint } from "#lib/contract/executions/figures.ts";
import type { ExecutionFilter } from "#lib/executions/search/execution-filter.ts";
import { type EndedInPeriod, endedByPeriod, openByPeriod } from "./ended-by-period.ts";
import { commonErrors } from "./errors.ts";
import { slowestExecutions } from "./slowest.ts";

type Filter = z.output<(typeof readStatsEndpoint)["query"]>;

const periodKeys = { day: "byDay", week: "byWeek", month: "byMonth" } as const;

/**
 * Statistics of the workspace's stored executions; they agree with the lists. Ended runs come from rollups and open
 * ones from their index, so that a million runs take no longer than a few.
 */
export async function readStats(actor: Actor, { flowId, startDate, endDate, groupBy }: Filter) {
  const runs = { workspaceId: actor.workspaceId, flowId: flowId || undefined, drafts: "none" } as const;
  const filter: ExecutionFilter = { ...runs, startDate, endDate };
  const [ended, open, slowest, errors] = await Promise.all([
    endedByPeriod(filter, groupBy),
    openByPeriod(filter, groupBy),
    slowestExecutions(filter),
    commonErrors(filter),
  ]);
  const all = sumOf(ended);
  const sumOpen = (status: "pending" | "running") => open.reduce((sum, period) => sum + period[status], 0);
  const { completed, cancelled, timeout } = all;
  const failed = all.failed + timeout;
  const [pending, running] = [sumOpen("pending"), sumOpen("running")];
  return {
    summary: {
      totalExecutions: completed + failed + cancelled + pending + running,
      completed,
      failed,
      cancelled,
      running,
      successRate: percentage(completed, completed + failed + cancelled),
      averageDuration: averageDuration(all),
      totalDuration: Math.round(all.totalDuration),
    },
    byStatus: { pending, running, completed, failed: all.failed, cancelled, timeout },
    [periodKeys[groupBy]]: showPeriods(ended, open),
    slowestExecutions: slowest,
    mostCommonErrors: errors.map(({ error, count }) => ({ error, count, percentage: percentage(count, failed) })),
  };
}

type Sums = Omit<EndedInPeriod, "date">;
const nothing: Sums = { completed: 0, failed: 0, cancelled: 0, timeout: 0, completedDuration: 0, totalDuration: 0 };

function sumOf(periods: readonly Sums[]): Sums {
  return periods.reduce(
    (sum, period) => ({
      completed: sum.completed + period.completed,
      failed: sum.failed + period.failed,
      cancelled: sum.cancelled + period.cancelled,
      timeout: sum.timeout + period.timeout,
      completedDuration: sum.completedDuration + period.completedDuration,
      totalDuration: sum.totalDuration + period.totalDuration,
    }),
    nothing,
  );
}

/** Every period in which a run started, in order. */
function showPeriods(ended: readonly EndedInPeriod[], open: readonly { readonly date: string }[]) {
  const byDate = new Map(ended.map((period) => [period.date, period]));
  const dates = [...new Set([...byDate.keys(), ...open.map(({ date }) => date)])].sort();
  return dates.map((date) => {
    const period = byDate.get(date) ?? nothing;
    const { completed, failed, cancelled, timeout } = period;
    return { date, completed, failed: failed + timeout, cancelled, averageDuration: averageDuration(period) };
  });
}

/** Milliseconds, over completed runs, as for a flow; 0 if there are none. */
function averageDuration({ completed, completedDuration }: Sums): number {
  return completed === 0 ? 0 : Math.round(completedDuration / completed);
}

function percentage(part: number, total: number): number {
  return total === 0 ? 0 : Math.round((part / total) * 10_000) / 100;
}
