import { type Bind, type ExecutionFilter, notOfDraft } from "#lib/executions/search/execution-filter.ts";
import type { CountedDays } from "./counted-days.ts";

/** The shard that holds the folded counts. */
export const foldedShard = 0;
/** Where slower statements (deletions, corrections) count until the next fold. */
export const commonShard = -1;

/** The marks of rows for all flows and for all days, as SQL. */
export const allFlows = "''";
export const allDays = "'-infinity'::date";

/** SQL for all error rows of a workspace: the totals, and those not folded yet. */
export function allErrorRows(columns: string, workspaceId: string, bind: Bind): string {
  const rows = `SELECT ${columns} FROM error_rollup WHERE workspace_id = ${bind(workspaceId)}`;
  return `${rows} AND flow_id = ${allFlows} AND day = ${allDays} UNION ALL ${rows} AND shard <> ${foldedShard}`;
}

/** SQL for a rollup's rows of whole days, of one flow or of all: those folded together and those not folded yet. */
export function rollupRows(
  table: "execution_rollup" | "duration_rollup" | "error_rollup",
  columns: string,
  { workspaceId, flowId, drafts }: ExecutionFilter,
  { first, last }: CountedDays,
  bind: Bind,
): string {
  const days = [
    first === null ? `day > ${allDays}` : `day >= ${bind(first)}::date`,
    last === null ? [] : `day <= ${bind(last)}::date`,
    // The other rollups count no runs of working copies at all.
    drafts === "none" && table === "execution_rollup" ? notOfDraft : [],
  ].flat();
  const rows = `SELECT ${columns} FROM ${table} WHERE workspace_id = ${bind(workspaceId)} AND ${days.join(" AND ")}`;
  return flowId === undefined
    ? `${rows} AND flow_id = ${allFlows} UNION ALL ${rows} AND shard <> ${foldedShard}`
    : `${rows} AND flow_id = ${bind(flowId)}`;
}
