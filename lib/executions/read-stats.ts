import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { readStats as readStatsEndpoint } from "#lib/contract/execution-stats.ts";
import { executionStatuses } from "#lib/contract/executions.ts";
import { iso } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";

type Filter = z.output<(typeof readStatsEndpoint)["query"]>;

const slowestMax = 10;
const errorsMax = 10;

const filtered = `
  FROM execution WHERE workspace_id = $1 AND ($2::text IS NULL OR flow_id = $2)
  AND ($3::timestamptz IS NULL OR started_at >= $3) AND ($4::timestamptz IS NULL OR started_at <= $4)`;

const byPeriod = `
  SELECT to_char(date_trunc($5, started_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD') AS date, status, count(*)::int AS count,
         coalesce(sum(duration_ms), 0)::float8 AS duration
  ${filtered} GROUP BY 1, 2 ORDER BY 1`;

const slowest = `
  SELECT id, duration_ms, started_at ${filtered} AND duration_ms IS NOT NULL
  ORDER BY duration_ms DESC, id LIMIT ${slowestMax}`;

const errors = `
  SELECT error_message AS error, count(*)::int AS count ${filtered} AND error_message IS NOT NULL
  GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${errorsMax}`;

interface PeriodRow {
  date: string;
  status: string;
  count: number;
  duration: number;
}

/** What the workspace's executions come to (contract, section 8). */
export async function readStats(actor: Actor, { flowId, startDate, endDate, groupBy }: Filter) {
  const values = [actor.workspaceId, flowId ?? null, startDate ?? null, endDate ?? null];
  const [periods, slow, failures] = await Promise.all([
    query<PeriodRow>("stats-periods", byPeriod, [...values, groupBy]),
    query<{ id: string; duration_ms: number; started_at: Date }>("stats-slowest", slowest, values),
    query<{ error: string; count: number }>("stats-errors", errors, values),
  ]);
  const counts = countsOf(periods);
  const failed = counts.failed + counts.timeout;
  const key = { day: "byDay", week: "byWeek", month: "byMonth" }[groupBy];
  return {
    summary: summaryOf(periods),
    byStatus: counts,
    [key]: showPeriods(periods),
    slowestExecutions: slow.map((row) => ({
      executionId: row.id,
      duration: row.duration_ms,
      startedAt: iso(row.started_at),
    })),
    mostCommonErrors: failures.map(({ error, count }) => ({ error, count, percentage: percentage(count, failed) })),
  };
}

type Counts = Record<(typeof executionStatuses)[number], number>;

function countsOf(rows: readonly PeriodRow[]): Counts {
  const counts = Object.fromEntries(executionStatuses.map((status) => [status, 0])) as Counts;
  for (const { status, count } of rows) counts[status as keyof Counts] += count;
  return counts;
}

function summaryOf(rows: readonly PeriodRow[]) {
  const counts = countsOf(rows);
  const failed = counts.failed + counts.timeout;
  const ended = counts.completed + failed + counts.cancelled;
  return {
    totalExecutions: ended + counts.pending + counts.running,
    completed: counts.completed,
    failed,
    cancelled: counts.cancelled,
    running: counts.running,
    successRate: percentage(counts.completed, ended),
    averageDuration: averageDuration(rows),
    totalDuration: Math.round(rows.reduce((sum, row) => sum + row.duration, 0)),
  };
}

function showPeriods(rows: readonly PeriodRow[]) {
  return [...Map.groupBy(rows, (row) => row.date)].map(([date, own]) => {
    const { completed, failed, cancelled } = summaryOf(own);
    return { date, completed, failed, cancelled, averageDuration: averageDuration(own) };
  });
}

/** Milliseconds, over completed runs, as for a flow; 0 without any. */
function averageDuration(rows: readonly PeriodRow[]): number {
  const completed = rows.filter((row) => row.status === "completed");
  const count = completed.reduce((sum, row) => sum + row.count, 0);
  return count === 0 ? 0 : Math.round(completed.reduce((sum, row) => sum + row.duration, 0) / count);
}

function percentage(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}
