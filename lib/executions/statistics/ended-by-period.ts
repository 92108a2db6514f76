import {
  conditionsOf,
  type ExecutionFilter,
  endedStatuses,
  hasStatus,
  openStatuses,
  parameters,
  spanOf,
} from "#lib/executions/search/execution-filter.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import { hourOfRun } from "./count-ended.ts";
import { countedParts } from "./counted-parts.ts";
import { rollupRows } from "./rollup-rows.ts";

type Period = "hour" | "day" | "week" | "month";

/** Totals of a period's ended runs; durations in milliseconds. */
export interface EndedInPeriod {
  /** The period's first day, `YYYY-MM-DD`, or the hour as an ISO time; a week starts on Monday. */
  readonly date: string;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly timeout: number;
  readonly completedDuration: number;
  readonly totalDuration: number;
}

const sums = [...endedStatuses, "completed_duration", "total_duration"]
  .map((column) => `coalesce(sum(${column}), 0)::float8 AS ${column}`)
  .join(", ");

/** The longest units within each period. */
const longestOf = { hour: "hour", day: "day", week: "day", month: "month" } as const;

/** The period of a time, both as SQL. */
function periodOf(period: Period, at: string): string {
  if (period === "hour") return `to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24":00:00Z"')`;
  return `date_trunc('${period}', ${at} AT TIME ZONE 'UTC')::date::text`;
}

/** The matching runs by the period in which they started, from rollups and rows at the edges. */
export async function endedByPeriod(filter: ExecutionFilter, period: Period): Promise<EndedInPeriod[]> {
  const { bind, values } = parameters();
  const { from, to } = spanOf(filter);
  const parts = countedParts(from, to, longestOf[period]);
  const rollups = rollupRows("run_count", "at", { filter, parts, bind });
  const edges = parts.edges.map(({ sign, ...span }) => {
    const counts = endedStatuses.map((status) => `${sign}count(*) FILTER (WHERE status = '${status}')`);
    return `
    SELECT ${hourOfRun}, ${counts.join(", ")},
      ${sign}coalesce(sum(duration_ms) FILTER (WHERE status = 'completed'), 0), ${sign}coalesce(sum(duration_ms), 0)
    FROM execution WHERE ${conditionsOf(filter, bind, span)} AND ${hasStatus(endedStatuses, "ended")} GROUP BY 1`;
  });
  const rows = await queryPlanned<Row>(
    `SELECT ${periodOf(period, "at")} AS date, ${sums}
     FROM (${[rollups, ...edges].join(" UNION ALL ")}) AS parts GROUP BY 1
     HAVING sum(${endedStatuses.join(" + ")}) > 0 ORDER BY 1`,
    values,
  );
  return rows.map(({ completed_duration: completedDuration, total_duration: totalDuration, ...row }) => ({
    ...row,
    completedDuration,
    totalDuration,
  }));
}

interface Row {
  date: string;
  completed: number;
  failed: number;
  cancelled: number;
  timeout: number;
  completed_duration: number;
  total_duration: number;
}

/** The matching open runs by the period in which they started. */
export async function openByPeriod(filter: ExecutionFilter, period: Period) {
  const { bind, values } = parameters();
  return await queryPlanned<{ date: string; pending: number; running: number }>(
    `SELECT ${periodOf(period, "started_at")} AS date,
       count(*) FILTER (WHERE status = 'pending')::int AS pending,
       count(*) FILTER (WHERE status = 'running')::int AS running
     FROM execution WHERE ${conditionsOf(filter, bind)} AND ${hasStatus(openStatuses, "open")} GROUP BY 1`,
    values,
  );
}
