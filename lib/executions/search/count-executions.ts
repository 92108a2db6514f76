import { dayOfRun } from "#lib/executions/statistics/count-ended.ts";
import { type CountedDays, countedDays } from "#lib/executions/statistics/counted-days.ts";
import { rollupRows } from "#lib/executions/statistics/rollup-rows.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import {
  type Bind,
  conditionsOf,
  type ExecutionFilter,
  endedOf,
  hasStatus,
  openOf,
  parameters,
  spanOf,
} from "./execution-filter.ts";

/** The exact number of executions that match a filter. */
export interface ExecutionCount {
  readonly ended: number;
  readonly open: number;
  /** Those started on each day (UTC, `YYYY-MM-DD`), in order; null if only the total is known. */
  readonly days: readonly { readonly day: string; readonly count: number }[] | null;
}

/** Counts executions by rollups and the rows at the edges of the span, so a million take no longer. */
export async function countExecutions(filter: ExecutionFilter): Promise<ExecutionCount> {
  const { minDuration, maxDuration } = filter;
  return minDuration === undefined && maxDuration === undefined ? await countDays(filter) : await countRows(filter);
}

async function countDays(filter: ExecutionFilter): Promise<ExecutionCount> {
  const { bind, values } = parameters();
  const { from, to } = spanOf(filter);
  const days = countedDays(from, to);
  const parts = [wholeDays(filter, days, bind), ...edges(filter, days, bind), open(filter, bind)].flat();
  if (parts.length === 0) return { ended: 0, open: 0, days: [] };
  const rows = await queryPlanned<{ day: string; ended: number; open: number }>(
    `SELECT day::text, sum(ended)::int AS ended, sum(open)::int AS open FROM (${parts.join(" UNION ALL ")}) AS parts
     GROUP BY day HAVING sum(ended) + sum(open) > 0 ORDER BY day`,
    values,
  );
  return {
    ended: rows.reduce((sum, row) => sum + row.ended, 0),
    open: rows.reduce((sum, row) => sum + row.open, 0),
    days: rows.map((row) => ({ day: row.day, count: row.ended + row.open })),
  };
}

function wholeDays(filter: ExecutionFilter, days: CountedDays, bind: Bind): string[] {
  const statuses = endedOf(filter);
  if (statuses.length === 0 || (days.first !== null && days.last !== null && days.first > days.last)) return [];
  const rows = rollupRows("execution_rollup", `day, ${statuses.join(" + ")} AS ended, source`, filter, days, bind);
  const ofSource = filter.source === undefined ? "" : `WHERE source = ANY(${bind(filter.source)}::text[])`;
  return [`SELECT day, ended, 0 AS open FROM (${rows}) AS whole ${ofSource}`];
}

function edges(filter: ExecutionFilter, { edges }: CountedDays, bind: Bind): string[] {
  const statuses = endedOf(filter);
  if (statuses.length === 0) return [];
  return edges.map(
    ({ sign, ...span }) =>
      `SELECT ${dayOfRun} AS day, ${sign}count(*) AS ended, 0 AS open FROM execution
       WHERE ${conditionsOf(filter, bind, span)} AND ${hasStatus(statuses, "ended")} GROUP BY 1`,
  );
}

function open(filter: ExecutionFilter, bind: Bind): string[] {
  const statuses = openOf(filter);
  if (statuses.length === 0) return [];
  return [
    `SELECT ${dayOfRun} AS day, 0 AS ended, count(*) AS open FROM execution
     WHERE ${conditionsOf(filter, bind)} AND ${hasStatus(statuses, "open")} GROUP BY 1`,
  ];
}

/** Rollups do not know individual durations; an index does. */
async function countRows(filter: ExecutionFilter): Promise<ExecutionCount> {
  const { bind, values } = parameters();
  const [row] = await queryPlanned<{ count: number }>(
    `SELECT count(*)::int AS count FROM execution WHERE ${conditionsOf(filter, bind)} AND ${ended(filter)}`,
    values,
  );
  return { ended: row?.count ?? 0, open: 0, days: null };
}

/** Lists the statuses only if not all are wanted, so that any index of ended runs can be used. */
function ended(filter: ExecutionFilter): string {
  return filter.status === undefined ? "completed_at IS NOT NULL" : hasStatus(endedOf(filter), "ended");
}
