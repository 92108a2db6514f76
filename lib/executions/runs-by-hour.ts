import { queryPlanned } from "#lib/platform/database.ts";
import {
  conditionsOf,
  type ExecutionFilter,
  endedStatuses,
  hasStatus,
  openStatuses,
  parameters,
} from "./execution-filter.ts";

/** What the runs of an hour or a day came to. */
export interface RunsAt {
  readonly at: Date;
  readonly open: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly timeout: number;
}

const countOf = (status: string) => `count(*) FILTER (WHERE status = '${status}')::int`;

/** The runs that a filter fits, by the hour (UTC) in which they started: from rows, so for spans of days. */
export async function runsByHour(filter: ExecutionFilter): Promise<RunsAt[]> {
  const { bind, values } = parameters();
  const where = conditionsOf(filter, bind);
  const hour = "date_trunc('hour', started_at, 'UTC')";
  return await queryPlanned<RunsAt & Record<string, unknown>>(
    `SELECT at, sum(open)::int AS open, ${endedStatuses.map((name) => `sum(${name})::int AS ${name}`).join(", ")} FROM (
       SELECT ${hour} AS at, 0 AS open, ${endedStatuses.map((name) => `${countOf(name)} AS ${name}`).join(", ")}
       FROM execution WHERE ${where} AND ${hasStatus(endedStatuses, "ended")} GROUP BY 1
       UNION ALL
       SELECT ${hour}, count(*)::int, 0, 0, 0, 0
       FROM execution WHERE ${where} AND ${hasStatus(openStatuses, "open")} GROUP BY 1) AS parts
     GROUP BY 1`,
    values,
  );
}
