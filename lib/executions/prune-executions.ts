import type { FlowSettings } from "#lib/engine/flow.ts";
import { sleep } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { deleteEnded } from "./delete-executions.ts";
import { endedStatuses } from "./search/execution-filter.ts";
import { allFlows, isUnfolded, shardOf } from "./statistics/rollup-rows.ts";

const dayMs = 86_400_000;

/** Runs that one statement deletes, so that none runs long or locks much. */
const batchMax = 200;

/** A flow that may have expired runs. */
interface OldFlow {
  readonly workspace_id: string;
  readonly flow_id: string;
  readonly oldest: Date;
  /** Null: it has no setting of its own. */
  readonly settings: string | null;
  readonly retention_days: number | null;
}

// The rollups show where old runs are, including those of deleted flows, so no query comes back empty.
const flowsWithOldRuns = `
  SELECT r.workspace_id, r.flow_id, min(r.at) AS oldest, f.settings, w.retention_days
  FROM run_count r LEFT JOIN flow f ON f.id = r.flow_id LEFT JOIN workspace w ON w.id = r.workspace_id
  WHERE r.flow_id <> ${allFlows} AND (r.shard = ${shardOf.day} OR r.${isUnfolded}) AND r.at <= $1::timestamptz
    AND r.completed + r.failed + r.cancelled + r.timeout > 0
  GROUP BY 1, 2, 4, 5`;

// Processes that prune concurrently take different runs, and neither wait for each other nor for readers.
const old = {
  name: "old-executions",
  condition: `workspace_id = $1 AND flow_id = $2 AND status = ANY('{${endedStatuses.join(",")}}'::text[])
    AND completed_at < $3::timestamptz AND started_at < $3::timestamptz`,
  lockClauses: `LIMIT ${batchMax} FOR UPDATE SKIP LOCKED`,
};

// Versions of a deleted flow without any remaining runs.
const pruneVersions = `
  DELETE FROM flow_version WHERE flow_id = $2 AND NOT EXISTS (SELECT FROM flow WHERE id = $2)
    AND NOT EXISTS (SELECT FROM execution WHERE workspace_id = $1 AND flow_id = $2 AND completed_at IS NOT NULL)
    AND NOT EXISTS (SELECT FROM execution WHERE flow_id = $2 AND status IN ('pending', 'running'))`;

// Revisions of working copies without any remaining runs. Recent ones stay, because a run may not have its record yet.
// Only flows that had a working copy are checked.
const forgetDrafts = `
  DELETE FROM flow_version v USING (
    SELECT o.flow_id, o.version FROM flow_draft d JOIN flow_version o ON o.flow_id = d.flow_id
    WHERE o.version < 0 AND o.created_at < now() - interval '1 hour'
      AND NOT EXISTS (
        SELECT FROM execution e WHERE e.flow_id = o.flow_id AND e.flow_version = o.version AND e.source = 'draft')
    LIMIT ${batchMax} FOR UPDATE OF o SKIP LOCKED) AS old
  WHERE v.flow_id = old.flow_id AND v.version = old.version RETURNING v.version`;

interface Options {
  readonly now: Date;
  /**
   * Days that runs are kept unless their flow (`settings.retentionDays`) or workspace overrides it; undefined: forever.
   */
  readonly retentionDays: number | undefined;
  /** Stops between two batches. */
  readonly signal?: AbortSignal;
}

/**
 * Deletes expired runs in small batches, pausing after each for as long as it took; returns how many. Safe to run in
 * several processes at once.
 */
export async function pruneExecutions({ now, retentionDays, signal }: Options): Promise<number> {
  const flows = await query<OldFlow>("flows-with-old-runs", flowsWithOldRuns, [new Date(now.getTime() - dayMs)]);
  let pruned = 0;
  for (const { workspace_id: workspaceId, flow_id: flowId, oldest, settings, retention_days: own } of flows) {
    const days = retentionOf(settings) ?? own ?? retentionDays;
    if (days === undefined) continue;
    const before = new Date(now.getTime() - days * dayMs);
    if (oldest >= before) continue;
    for (;;) {
      if (signal?.aborted) return pruned;
      const startedAt = performance.now();
      const { length } = await deleteEnded(old, [workspaceId, flowId, before]);
      pruned += length;
      if (length < batchMax) break;
      await sleep(performance.now() - startedAt);
    }
    await query("prune-versions", pruneVersions, [workspaceId, flowId]);
  }
  while (!signal?.aborted && (await query("forget-run-drafts", forgetDrafts, [])).length === batchMax);
  return pruned;
}

function retentionOf(settings: string | null): number | undefined {
  return settings === null ? undefined : (JSON.parse(settings) as FlowSettings).retentionDays;
}
