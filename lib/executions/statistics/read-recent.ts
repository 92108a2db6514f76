import type { Actor } from "#lib/auth/actor.ts";
import { type RecentRuns, recentMax } from "#lib/contract/executions/figures.ts";
import { retriesOf, showsRetry } from "#lib/executions/retries.ts";
import { notOfDraft } from "#lib/executions/search/execution-filter.ts";
import { iso } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";

const columns = "id, status, started_at, duration_ms";
const latest = `ORDER BY started_at DESC, id DESC LIMIT ${recentMax.runs}`;

// Status by status, as the indexes are ordered, so that nothing is read in vain.
const find = `
  SELECT f.id AS flow_id, r.* FROM unnest($2::text[]) AS f(id) CROSS JOIN LATERAL (
    SELECT * FROM (
      (SELECT ${columns} FROM execution
       WHERE workspace_id = $1 AND flow_id = f.id AND status IN ('pending', 'running') AND ${notOfDraft} ${latest})
      UNION ALL
      SELECT e.* FROM unnest('{completed,failed,cancelled,timeout}'::text[]) AS s(name) CROSS JOIN LATERAL (
        SELECT ${columns} FROM execution
        WHERE workspace_id = $1 AND flow_id = f.id AND status = s.name AND completed_at IS NOT NULL
          AND ${notOfDraft} ${latest}) AS e
    ) AS runs ${latest}) AS r`;

interface Row extends Record<string, unknown> {
  flow_id: string;
  id: string;
  status: RecentRuns["runs"][number]["status"];
  started_at: Date;
  duration_ms: number | null;
}

/** The latest runs of each flow, latest first; flows without runs are left out. */
export async function readRecent({ workspaceId }: Actor, flowIds: readonly string[]): Promise<RecentRuns[]> {
  const rows = await query<Row>("recent-runs", find, [workspaceId, flowIds]);
  const retries = await retriesOf(rows.filter(({ status }) => showsRetry(status)).map(({ id }) => id));
  return [...Map.groupBy(rows, (row) => row.flow_id)].map(([flowId, runs]) => ({
    flowId,
    runs: runs.map((run) => ({
      id: run.id,
      status: run.status,
      startedAt: iso(run.started_at),
      duration: run.duration_ms,
      retry: retries.get(run.id),
    })),
  }));
}
