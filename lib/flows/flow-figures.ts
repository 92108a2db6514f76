import { notOfDraft } from "#lib/executions/search/execution-filter.ts";
import { isUnfolded, shardOf } from "#lib/executions/statistics/rollup-rows.ts";
import { query } from "#lib/platform/database.ts";

/** Totals of a flow's runs. */
export interface FlowFigures {
  readonly lastExecutedAt: Date | null;
  readonly executionCount: number;
  /** Milliseconds, over completed runs; null if there are none. */
  readonly averageExecutionTime: number | null;
}

interface FigureRow {
  flow_id: string;
  ended: string;
  completed: string;
  duration: string;
  open: string;
  last: Date | null;
}

// Counts ended runs by the flow's total and what is not folded into it yet, and open ones by their small index: the
// cost does not grow with the data.
const readFigures = `
  SELECT f.id AS flow_id, r.ended, r.completed, r.duration, o.open, greatest(r.last, o.last) AS last
  FROM unnest($2::text[]) AS f(id)
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(ended), 0) AS ended, coalesce(sum(completed), 0) AS completed,
           coalesce(sum(completed_duration), 0) AS duration, max(last_started_at) AS last
    FROM (
      SELECT completed + failed + cancelled + timeout AS ended, completed, completed_duration, last_started_at
      FROM run_count WHERE workspace_id = $1 AND flow_id = f.id AND shard = ${shardOf.allTime} AND ${notOfDraft}
      UNION ALL
      SELECT completed + failed + cancelled + timeout, completed, completed_duration, last_started_at
      FROM run_count WHERE workspace_id = $1 AND flow_id = f.id AND ${isUnfolded} AND ${notOfDraft}) AS parts) AS r
  CROSS JOIN LATERAL (
    SELECT count(*) AS open, max(started_at) AS last
    FROM execution WHERE flow_id = f.id AND status IN ('pending', 'running') AND ${notOfDraft}) AS o`;

/** The figures of these flows of a workspace, by id. */
export async function flowFigures(
  workspaceId: string,
  flowIds: readonly string[],
): Promise<ReadonlyMap<string, FlowFigures>> {
  if (flowIds.length === 0) return new Map();
  const rows = await query<FigureRow>("flow-figures", readFigures, [workspaceId, flowIds]);
  return new Map(rows.map((row) => [row.flow_id, figuresOf(row)]));
}

function figuresOf(row: FigureRow): FlowFigures {
  const completed = Number(row.completed);
  return {
    lastExecutedAt: row.last,
    executionCount: Number(row.ended) + Number(row.open),
    averageExecutionTime: completed === 0 ? null : Math.round(Number(row.duration) / completed),
  };
}
