import { type Bind, type ExecutionFilter, notOfDraft } from "#lib/executions/search/execution-filter.ts";
import type { CountedParts, Unit } from "./counted-parts.ts";

/** The shards that hold folded counts, by unit. Rows in shards above 0 count an hour and are not folded yet. */
export const shardOf = { hour: 0, day: -1, month: -2, allTime: -3 } as const;
/** The shard that slower statements (deletions, corrections) write to. */
export const commonShard = 1;

/** SQL conditions: a row is folded, or not yet. */
export const isFolded = "shard <= 0";
export const isUnfolded = "shard > 0";

/** The flow of rows for all flows, and the time of rows for all time, as SQL. */
export const allFlows = "''";
export const allTime = "'-infinity'::timestamptz";

/** The start of the day or month (UTC) of an hour `at`, as SQL. */
export function startOf(unit: "day" | "month"): string {
  return unit === "day" ? "date_bin('1 day', at, '2000-01-01T00:00:00Z')" : "date_trunc('month', at, 'UTC')";
}

export const measuresOf = {
  run_count: ["completed", "failed", "cancelled", "timeout", "completed_duration", "total_duration"],
  duration_count: ["runs"],
  error_count: ["runs"],
} as const;

/** SQL for all error rows of a workspace: the totals, and those not folded yet. */
export function allErrorRows(columns: string, workspaceId: string, bind: Bind): string {
  const rows = `SELECT ${columns} FROM error_count WHERE workspace_id = ${bind(workspaceId)}`;
  return `${rows} AND flow_id = ${allFlows} AND shard = ${shardOf.allTime} UNION ALL ${rows} AND ${isUnfolded}`;
}

interface RollupSearch {
  readonly filter: ExecutionFilter;
  readonly parts: CountedParts;
  readonly bind: Bind;
  readonly perFlow?: boolean;
}

/**
 * SQL for a rollup's rows of whole units: these columns, and the rollup's measures, negative if a part is subtracted.
 * For one flow if the filter has one, otherwise for all flows together or, with `perFlow`, for each.
 */
export function rollupRows(
  table: keyof typeof measuresOf,
  columns: string,
  { filter, parts: { units }, bind, perFlow = false }: RollupSearch,
): string {
  const { workspaceId, flowId, drafts } = filter;
  const parts = `unnest(${bind(units.map(({ unit }) => shardOf[unit satisfies Unit]))}::int[],
      ${bind(units.map(({ from }) => from?.toISOString() ?? "-infinity"))}::timestamptz[],
      ${bind(units.map(({ to }) => to?.toISOString() ?? "infinity"))}::timestamptz[],
      ${bind(units.map(({ sign }) => (sign === "+" ? 1 : -1)))}::int[]) AS part(kind, first, next, sign)`;
  const measures = measuresOf[table].map((name) => `sign * ${name} AS ${name}`);
  const rows = (shard: string, flow: string | null) => `
    SELECT ${[columns, ...measures].join(", ")} FROM ${parts} CROSS JOIN LATERAL (
      SELECT * FROM ${table} WHERE ${[
        `workspace_id = ${bind(workspaceId)}`,
        flow ?? [],
        shard,
        "at >= first AND at < next",
        // The other rollups count no runs of working copies at all.
        drafts === "none" && table === "run_count" ? notOfDraft : [],
      ]
        .flat()
        .join(" AND ")} OFFSET 0) AS counted`;
  const ofFlow = flowId === undefined ? null : `flow_id = ${bind(flowId)}`;
  const ofAll = perFlow ? `flow_id <> ${allFlows} AND ${isFolded}` : `flow_id = ${allFlows}`;
  return `${rows("shard = kind", ofFlow ?? ofAll)} UNION ALL ${rows(isUnfolded, ofFlow)}`;
}

/** A flow's name as SQL, even if the flow is deleted and its runs are kept; $1 is the workspace. */
export const nameOfFlow = `coalesce(
  (SELECT name FROM flow WHERE id = flow_id),
  (SELECT e.flow_name FROM execution e
   WHERE e.workspace_id = $1 AND e.flow_id = parts.flow_id AND e.completed_at IS NOT NULL LIMIT 1), '')`;
