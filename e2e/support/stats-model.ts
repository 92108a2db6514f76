// A reference model of the statistics: reads and counts every execution.
import { type ExecutionQuery, matchingExecutions } from "./list-model.ts";
import type { SeededExecution } from "./seeded-workspace.ts";

export interface StatsQuery extends Pick<ExecutionQuery, "flowId" | "startDate" | "endDate"> {
  readonly groupBy?: "day" | "week" | "month";
}

const statuses = ["pending", "running", "completed", "failed", "cancelled", "timeout"];
const slowestMax = 10;
const dayMs = 86_400_000;

export function statsByModel(executions: readonly SeededExecution[], query: StatsQuery) {
  const all = matchingExecutions(executions, query);
  const groupBy = query.groupBy ?? "day";
  const periods = Map.groupBy(all, ({ startedAt }) => firstDay(startedAt, groupBy));
  const durations = all.flatMap(({ duration }) => duration ?? []);
  return {
    summary: {
      totalExecutions: all.length,
      ...ends(all),
      running: count(all, "running"),
      successRate: percentage(count(all, "completed"), durations.length),
      averageDuration: averageDuration(all),
      totalDuration: sum(durations),
    },
    byStatus: Object.fromEntries(statuses.map((status) => [status, count(all, status)])),
    [{ day: "byDay", week: "byWeek", month: "byMonth" }[groupBy]]: [...periods]
      .map(([date, own]) => ({ date, ...ends(own), averageDuration: averageDuration(own) }))
      .sort((a, b) => (a.date < b.date ? -1 : 1)),
    slowest: durations.sort((a, b) => b - a).slice(0, slowestMax),
  };
}

function firstDay(time: string, groupBy: "day" | "week" | "month"): string {
  const day = time.slice(0, 10);
  if (groupBy === "day") return day;
  if (groupBy === "month") return `${day.slice(0, 7)}-01`;
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7;
  return new Date(Date.parse(day) - sinceMonday * dayMs).toISOString().slice(0, 10);
}

const count = (all: readonly SeededExecution[], status: string) =>
  all.filter((execution) => execution.status === status).length;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const percentage = (part: number, total: number) => (total === 0 ? 0 : Math.round((part / total) * 10_000) / 100);

const ends = (all: readonly SeededExecution[]) => ({
  completed: count(all, "completed"),
  failed: count(all, "failed") + count(all, "timeout"),
  cancelled: count(all, "cancelled"),
});

/** Over completed runs. */
function averageDuration(all: readonly SeededExecution[]): number {
  const durations = all.flatMap(({ status, duration }) => (status === "completed" ? (duration ?? 0) : []));
  return durations.length === 0 ? 0 : Math.round(sum(durations) / durations.length);
}
