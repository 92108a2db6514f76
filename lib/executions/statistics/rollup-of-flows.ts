import type { Bind, ExecutionFilter } from "#lib/executions/search/execution-filter.ts";
import type { CountedDays } from "./counted-days.ts";
import { allDays, allFlows } from "./rollup-rows.ts";

/** SQL for a rollup's rows of whole days, per flow. */
export function rollupOfFlows(
  table: "duration_rollup" | "error_rollup",
  columns: string,
  { workspaceId, flowId }: ExecutionFilter,
  { first, last }: CountedDays,
  bind: Bind,
): string {
  const where = [
    `workspace_id = ${bind(workspaceId)}`,
    flowId === undefined ? `flow_id > ${allFlows}` : `flow_id = ${bind(flowId)}`,
    first === null ? `day > ${allDays}` : `day >= ${bind(first)}::date`,
    last === null ? [] : `day <= ${bind(last)}::date`,
  ].flat();
  return `SELECT ${columns} FROM ${table} WHERE ${where.join(" AND ")}`;
}

/** A flow's name, even if it is deleted while runs of it are kept, as SQL; $1 is the workspace. */
export const nameOfFlow = `coalesce(
  (SELECT name FROM flow WHERE id = flow_id),
  (SELECT e.flow_name FROM execution e
   WHERE e.workspace_id = $1 AND e.flow_id = parts.flow_id AND e.completed_at IS NOT NULL LIMIT 1), '')`;
