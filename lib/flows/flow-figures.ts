import { query } from "#lib/platform/database.ts";

/** What a flow's runs come to. */
export interface FlowFigures {
  readonly lastExecutedAt: Date | null;
  readonly executionCount: number;
  /** Milliseconds, over completed runs; null without any. */
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

// Ended runs are counted by rollups, open ones by the small partial index: neither grows with what is stored.
const readFigures = `
  SELECT f.id AS flow_id, r.ended, r.completed, r.duration, o.open, greatest(r.last, o.last) AS last
  FROM unnest($1::text[]) AS f(id)
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(completed + failed + cancelled + timeout), 0) AS ended, coalesce(sum(completed), 0) AS completed,
           coalesce(sum(completed_duration), 0) AS duration, max(last_started_at) AS last
    FROM execution_rollup WHERE flow_id = f.id) r
  CROSS JOIN LATERAL (
    SELECT count(*) AS open, max(started_at) AS last
    FROM execution WHERE flow_id = f.id AND status IN ('pending', 'running')) o`;

/** The figures of these flows, by id. */
export async function flowFigures(flowIds: readonly string[]): Promise<ReadonlyMap<string, FlowFigures>> {
  if (flowIds.length === 0) return new Map();
  const rows = await query<FigureRow>("flow-figures", readFigures, [flowIds]);
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
