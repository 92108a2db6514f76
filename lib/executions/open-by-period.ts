import { queryPlanned } from "#lib/platform/database.ts";
import { dayOfRun } from "./count-ended.ts";
import type { Period } from "./ended-by-period.ts";
import { conditionsOf, type ExecutionFilter, hasStatus, openStatuses, parameters } from "./execution-filter.ts";

/** The runs that a filter fits and that have not ended, by the period in which they started. */
export async function openByPeriod(filter: ExecutionFilter, period: Period) {
  const { bind, values } = parameters();
  return await queryPlanned<{ date: string; pending: number; running: number }>(
    `SELECT date_trunc('${period}', ${dayOfRun}::timestamp)::date::text AS date,
       count(*) FILTER (WHERE status = 'pending')::int AS pending,
       count(*) FILTER (WHERE status = 'running')::int AS running
     FROM execution WHERE ${conditionsOf(filter, bind)} AND ${hasStatus(openStatuses, "open")} GROUP BY 1`,
    values,
  );
}
