import type { Bind, ExecutionFilter } from "#lib/executions/search/execution-filter.ts";
import type { CountedDays } from "./counted-days.ts";

/** What was folded into the rollups is in this shard. */
export const foldedShard = 0;
/** Where statements count that need not be fast, deletions and corrections, until it is folded. */
export const commonShard = -1;

/** How the rows of all flows and of all days are marked, as SQL. */
export const allFlows = "''";
export const allDays = "'-infinity'::date";

/** SQL of the rows of all errors of a workspace: their totals, and those that are not folded yet. */
export function allErrorRows(columns: string, workspaceId: string, bind: Bind): string {
  const rows = `SELECT ${columns} FROM error_rollup WHERE workspace_id = ${bind(workspaceId)}`;
  return `${rows} AND flow_id = ${allFlows} AND day = ${allDays} UNION ALL ${rows} AND shard <> ${foldedShard}`;
}

/**
 * SQL of the rows of a rollup for whole days of one flow, or of all flows: then of those that were folded together, and
 * of those that are not yet.
 */
export function rollupRows(
  table: "execution_rollup" | "duration_rollup" | "error_rollup",
  columns: string,
  { workspaceId, flowId }: ExecutionFilter,
  { first, last }: CountedDays,
  bind: Bind,
): string {
  const days = [
    first === null ? `day > ${allDays}` : `day >= ${bind(first)}::date`,
    last === null ? [] : `day <= ${bind(last)}::date`,
  ].flat();
  const rows = `SELECT ${columns} FROM ${table} WHERE workspace_id = ${bind(workspaceId)} AND ${days.join(" AND ")}`;
  return flowId === undefined
    ? `${rows} AND flow_id = ${allFlows} UNION ALL ${rows} AND shard <> ${foldedShard}`
    : `${rows} AND flow_id = ${bind(flowId)}`;
}
