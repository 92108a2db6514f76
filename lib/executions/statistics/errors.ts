import {
  conditionsOf,
  type ExecutionFilter,
  hasStatus,
  parameters,
  spanOf,
} from "#lib/executions/search/execution-filter.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import { countedParts } from "./counted-parts.ts";
import { allErrorRows, nameOfFlow, rollupRows } from "./rollup-rows.ts";

interface FlowError {
  readonly error: string;
  readonly flowId: string;
  readonly flowName: string;
  readonly count: number;
}

/** The most common errors per flow of the runs that match a filter of flow and span, most common first. */
export async function errorsByFlow(filter: ExecutionFilter, limit: number): Promise<FlowError[]> {
  const { bind, values } = parameters();
  bind(filter.workspaceId);
  const { from, to } = spanOf(filter);
  const parts = countedParts(from, to, "month");
  const edges = parts.edges.map(
    ({ sign, ...span }) => `
    SELECT flow_id, error_message, ${sign}count(*) FROM execution
    WHERE ${conditionsOf(filter, bind, span)} AND ${hasStatus(["failed", "timeout"], "ended")}
      AND error_message IS NOT NULL GROUP BY 1, 2`,
  );
  const counts = [rollupRows("error_count", "flow_id, message", { filter, parts, bind, perFlow: true }), ...edges];
  return await queryPlanned<FlowError & Record<string, unknown>>(
    `WITH parts AS (
       SELECT flow_id, message, sum(runs)::int AS count FROM (${counts.join(" UNION ALL ")}) AS counted
       GROUP BY 1, 2 HAVING sum(runs) > 0 ORDER BY 3 DESC, 2, 1 LIMIT ${limit})
     SELECT message AS error, flow_id AS "flowId", ${nameOfFlow} AS "flowName", count FROM parts ORDER BY 4 DESC, 1, 2`,
    values,
  );
}

const errorsMax = 10;

/** The most common errors of the runs that match a filter of flow and span, most common first. */
export async function commonErrors(filter: ExecutionFilter): Promise<{ error: string; count: number }[]> {
  const { bind, values } = parameters();
  const { from, to } = spanOf(filter);
  const parts = countedParts(from, to, "month");
  const isAll = filter.flowId === undefined && from === null && to === null;
  const rollups = isAll
    ? allErrorRows("message, runs", filter.workspaceId, bind)
    : rollupRows("error_count", "message", { filter, parts, bind });
  // Only failed runs have an error, so others at the edges are not read.
  const edges = parts.edges.map(
    ({ sign, ...span }) => `
    SELECT error_message, ${sign}count(*) FROM execution
    WHERE ${conditionsOf(filter, bind, span)} AND ${hasStatus(["failed", "timeout"], "ended")}
      AND error_message IS NOT NULL GROUP BY 1`,
  );
  return await queryPlanned<{ error: string; count: number }>(
    `SELECT message AS error, sum(runs)::int AS count FROM (${[rollups, ...edges].join(" UNION ALL ")}) AS parts
     GROUP BY 1 HAVING sum(runs) > 0 ORDER BY 2 DESC, 1 LIMIT ${errorsMax}`,
    values,
  );
}
