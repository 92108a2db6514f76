import { type CountedParts, countedParts } from "#lib/executions/statistics/counted-parts.ts";
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
  /** The number started on each day (UTC, `YYYY-MM-DD`), in order; null if only the total is known. */
  readonly days: readonly { readonly day: string; readonly count: number }[] | null;
}

/** Counts executions by rollups, and rows only at the edges of the span, so that a million take no longer. */
export async function countExecutions(filter: ExecutionFilter): Promise<ExecutionCount> {
  const { minDuration, maxDuration } = filter;
  return minDuration === undefined && maxDuration === undefined ? await countDays(filter) : await countRows(filter);
}

async function countDays(filter: ExecutionFilter): Promise<ExecutionCount> {
  const { bind, values } = parameters();
  const { from, to } = spanOf(filter);
  const span = countedParts(from, to, "day");
  const parts = [countedUnits(filter, span, bind), ...edges(filter, span, bind), open(filter, bind)].flat();
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

const dayOf = (time: string) => `(${time} AT TIME ZONE 'UTC')::date`;

function countedUnits(filter: ExecutionFilter, parts: CountedParts, bind: Bind): string[] {
  const statuses = endedOf(filter);
  if (statuses.length === 0 || parts.units.length === 0) return [];
  const rows = rollupRows("run_count", "at, source", { filter, parts, bind });
  const ofSource = filter.source === undefined ? "" : `WHERE source = ANY(${bind(filter.source)}::text[])`;
  return [
    `SELECT ${dayOf("at")} AS day, ${statuses.join(" + ")} AS ended, 0 AS open FROM (${rows}) AS whole ${ofSource}`,
  ];
}

function edges(filter: ExecutionFilter, { edges }: CountedParts, bind: Bind): string[] {
  const statuses = endedOf(filter);
  if (statuses.length === 0) return [];
  return edges.map(
    ({ sign, ...span }) =>
      `SELECT ${dayOf("started_at")} AS day, ${sign}count(*) AS ended, 0 AS open FROM execution
       WHERE ${conditionsOf(filter, bind, span)} AND ${hasStatus(statuses, "ended")} GROUP BY 1`,
  );
}

function open(filter: ExecutionFilter, bind: Bind): string[] {
  const statuses = openOf(filter);
  if (statuses.length === 0) return [];
  return [
    `SELECT ${dayOf("started_at")} AS day, 0 AS ended, count(*) AS open FROM execution
     WHERE ${conditionsOf(filter, bind)} AND ${hasStatus(statuses, "open")} GROUP BY 1`,
  ];
}

/** Counts rows by index, because rollups have no individual durations. */
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
