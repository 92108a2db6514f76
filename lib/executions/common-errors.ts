import { queryPlanned } from "#lib/platform/database.ts";
import { countedDays } from "./counted-days.ts";
import { conditionsOf, type ExecutionFilter, hasStatus, parameters, spanOf } from "./execution-filter.ts";
import { allErrorRows, rollupRows } from "./rollup-rows.ts";

const errorsMax = 10;

/** The most common errors of the runs that a filter of flow and span fits, most common first. */
export async function commonErrors(filter: ExecutionFilter): Promise<{ error: string; count: number }[]> {
  const { bind, values } = parameters();
  const { from, to } = spanOf(filter);
  const days = countedDays(from, to);
  const isAll = filter.flowId === undefined && days.first === null && days.last === null;
  const whole = isAll
    ? allErrorRows("message, runs", filter.workspaceId, bind)
    : rollupRows("error_rollup", "message, runs", filter, days, bind);
  // Only runs that failed have an error: the others of an edge are not looked at.
  const parts = days.edges.map(
    ({ sign, ...span }) => `
    SELECT error_message, ${sign}count(*) FROM execution
    WHERE ${conditionsOf(filter, bind, span)} AND ${hasStatus(["failed", "timeout"], "ended")}
      AND error_message IS NOT NULL GROUP BY 1`,
  );
  return await queryPlanned<{ error: string; count: number }>(
    `SELECT message AS error, sum(runs)::int AS count FROM (${[whole, ...parts].join(" UNION ALL ")}) AS parts
     GROUP BY 1 HAVING sum(runs) > 0 ORDER BY 2 DESC, 1 LIMIT ${errorsMax}`,
    values,
  );
}
