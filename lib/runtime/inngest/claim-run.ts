import { query } from "#lib/platform/database.ts";
import { failLost, lossesMax } from "../give-up.ts";
import { leaseMinutes } from "./lease.ts";

interface Row {
  id: string;
  fence: number;
  losses: number;
}

// Whom the run is claimed by already keeps its claim: the same call may come twice. A run that waits may be taken over
// at any time, since nothing of it goes on; one that somebody works on only when its lease has ended.
const claim = `
  UPDATE execution e SET status = 'running', lease_owner = $2, dispatched_at = NULL, wake_at = NULL,
    lease_until = now() + interval '${leaseMinutes} minutes',
    fence = e.fence + CASE WHEN e.lease_owner = $2 THEN 0 ELSE 1 END,
    losses = e.losses + CASE WHEN e.status = 'running' AND e.wake_at IS NULL AND e.lease_owner <> $2 THEN 1 ELSE 0 END
  WHERE e.id = $1 AND e.status IN ('pending', 'running')
    AND (e.lease_owner = $2 OR e.lease_until IS NULL OR e.lease_until < now() OR e.wake_at IS NOT NULL)
  RETURNING e.id, e.fence, e.losses`;

/** Takes a run for a function; gives the claim's fence, or null when the run has ended or somebody else works on it. */
export async function claimRun(executionId: string, owner: string): Promise<number | null> {
  const [row] = await query<Row & Record<string, unknown>>("claim-run-for-inngest", claim, [executionId, owner]);
  if (row === undefined) return null;
  if (row.losses < lossesMax) return row.fence;
  await failLost(row);
  return null;
}

const stopTaking = `
  UPDATE execution SET lease_owner = $3 || ':leaving'
  WHERE id = $1 AND fence = $2 AND lease_owner = $3 AND status = 'running'`;

const underWay = `
  SELECT 1 AS found FROM node_execution
  WHERE execution_id = $1 AND fence = $2 AND status = 'running' AND claimed_until > now() LIMIT 1`;

// An event for this claim may have been sent before, and would be taken for the same again: hence the old time.
const leave = `
  UPDATE execution SET lease_owner = NULL, lease_until = now() - interval '1 second',
    dispatched_at = now() - interval '1 day'
  WHERE id = $1 AND fence = $2 AND lease_owner = $3 || ':leaving' AND status = 'running'`;

/**
 * Lets go of a run, so that another run of the function can take it up from its records. False while some call still
 * does a step of it: nothing more begins, and what is under way is to be recorded first.
 */
export async function leaveRun(executionId: string, fence: number, owner: string): Promise<boolean> {
  await query("stop-taking-steps", stopTaking, [executionId, fence, owner]);
  if ((await query("steps-under-way", underWay, [executionId, fence])).length > 0) return false;
  await query("leave-run", leave, [executionId, fence, owner]);
  return true;
}

const giveBack = `
  UPDATE execution SET lease_until = now() - interval '1 second'
  WHERE id = $1 AND lease_owner IN ($2, $2 || ':leaving') AND status = 'running'`;

/** The function's run came to nothing: the run is to be taken up by another. */
export async function giveBackRun(executionId: string, owner: string): Promise<void> {
  await query("give-back-run", giveBack, [executionId, owner]);
}
