import { setTimeout as sleep } from "node:timers/promises";
import { RetryAfterError } from "inngest";
import { runningRuns } from "#lib/executions/running-runs.ts";
import { query } from "#lib/platform/database.ts";
import { type Claim, type ClaimedRow, claimed, claimedColumns, isOver, isWaiting, openClaims } from "../claim-runs.ts";
import { processName } from "../process-name.ts";
import { hasEnded, readStanding } from "./standing.ts";

const busyPauseMs = 250;
const busyMsMax = 10_000;

// A run that waits may be taken at any time, since nothing of it goes on; one that somebody does, when its lease is
// over. `dispatched_at` says that a function attends to it.
const claim = `
  WITH picked AS MATERIALIZED (
    SELECT x.id, x.lost, CASE WHEN x.lost THEN (SELECT max(n.sequence) FROM node_execution n
      WHERE n.execution_id = x.id AND n.completed_at IS NOT NULL) END AS progress
    FROM (SELECT id, status = 'running' AND wake_at IS NULL AS lost FROM execution
      WHERE id = $2 AND (${isWaiting} OR status = 'running' AND (lease_until IS NULL OR ${isOver})) FOR UPDATE) AS x)
  UPDATE execution e SET ${claimed}, dispatched_at = now()
  FROM picked WHERE e.id = picked.id
  RETURNING ${claimedColumns}, picked.lost`;

/**
 * Takes a run to do it in this call. Another call that does it is waited for: it is nearly always quicker than Inngest's
 * next try. Null when there is nothing to do: it has ended, cannot go on, or its turn has not come.
 */
export async function claimRun(executionId: string): Promise<Claim | null> {
  for (const giveUpAt = Date.now() + busyMsMax; Date.now() < giveUpAt; await sleep(busyPauseMs)) {
    // One that this process is doing may be late, as after a pause, but is not lost.
    if (!runningRuns().has(executionId)) {
      const rows = await query<ClaimedRow>("claim-run-for-inngest", claim, [processName(), executionId]);
      if (rows.length > 0) return (await openClaims(rows))[0] ?? null;
    }
    const standing = await readStanding(executionId);
    if (hasEnded(standing) || standing.isHeld) return null;
  }
  throw new RetryAfterError("Another call is doing this run", busyMsMax);
}
