import { randomUUID } from "node:crypto";
import type { Step } from "#lib/engine/step.ts";
import type { Run } from "#lib/executions/run.ts";
import { query } from "#lib/platform/database.ts";

/** Seconds for which a step is a call's without a heartbeat. */
export const stepLeaseSeconds = 10;

/**
 * How asking for a step went. `mine`: it may be done; `begun`: an earlier call began it; `losses`: calls that began it and
 * did not live to say how it went. `done`: it is recorded. `busy`: another call is doing it. `lost`: the run is not this function's any more.
 */
export type StepClaim =
  | { readonly state: "mine"; readonly token: string; readonly begun: boolean; readonly losses: number }
  | { readonly state: "done" | "busy" | "lost" | "cancelled" };

interface Row {
  status: string;
  node_id: string | null;
  node_status: string | null;
  losses: number;
}

// The run's row is locked against a claim by another function between the check and the write.
const claim = `
  WITH owner AS (SELECT id, status FROM execution WHERE id = $1 AND fence = $2 AND lease_owner = $3 FOR SHARE),
  before AS (SELECT status FROM node_execution WHERE execution_id = $1 AND node_id = $4),
  claimed AS (
    INSERT INTO node_execution AS n
      (execution_id, node_id, position, node_name, type, status, started_at, fence, claimed_by, claimed_until)
    SELECT id, $4, $5, $6, $7, 'running', now(), $2, $8, now() + interval '${stepLeaseSeconds} seconds'
    FROM owner WHERE status = 'running'
    ON CONFLICT (execution_id, node_id) DO UPDATE SET status = 'running', started_at = excluded.started_at,
      completed_at = NULL, fence = excluded.fence, claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until,
      losses = CASE WHEN n.status = 'running' AND n.fence = $2 AND n.claimed_by IS NOT NULL THEN n.losses + 1 ELSE 0 END
      WHERE n.status IN ('running', 'cancelled') AND (n.claimed_until IS NULL OR n.claimed_until < now())
    RETURNING n.node_id, n.losses)
  SELECT owner.status, claimed.node_id, before.status AS node_status, coalesce(claimed.losses, 0) AS losses
  FROM owner LEFT JOIN claimed ON true LEFT JOIN before ON true`;

/** Asks for a step of a run, so that of two calls at once one does it. */
export async function claimStep(run: Run, { id, node }: Step, owner: string): Promise<StepClaim> {
  const token = randomUUID();
  const values = [run.id, run.fence, owner, id, node.index, node.node.name, node.node.type, token];
  const [row] = await query<Row & Record<string, unknown>>("claim-step", claim, values);
  if (row === undefined) return { state: "lost" };
  if (row.status !== "running") return { state: row.status === "cancelled" ? "cancelled" : "lost" };
  const begun = row.node_status === "running";
  if (row.node_id !== null) return { state: "mine", token, begun, losses: row.losses };
  // Without a row when the statement began, another call was quicker by so little that only a second look can tell.
  return { state: begun || row.node_status === null ? "busy" : "done" };
}

const release = `
  UPDATE node_execution SET claimed_by = NULL, claimed_until = NULL
  WHERE execution_id = $1 AND node_id = $2 AND claimed_by = $3`;

/** Gives up a step that has not ended: it waits, or could not be done and is to be tried again. */
export async function releaseStep(run: Run, stepId: string, token: string): Promise<void> {
  await query("release-step", release, [run.id, stepId, token]);
}
