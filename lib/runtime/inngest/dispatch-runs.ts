import { query } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { admitRuns } from "#lib/runtime/embedded/admit-runs.ts";
import { isOver, isWaiting } from "#lib/runtime/embedded/claim-statement.ts";
import { type ExecutionData, executionRequested, inngest } from "./client.ts";
import { registerAgain } from "./register-app.ts";

/** Runs handed over per poll. */
const runsMax = 200;
/** A run that has not been claimed by then is sent again. */
const resendAfter = "60 seconds";
/** Inngest wakes waiting functions itself; a new function run is requested only if it did not. */
const wakeGrace = "30 seconds";

interface Row {
  id: string;
  workspace_id: string;
  flow_id: string;
  fence: number;
  earlier: Date | null;
}

// New runs, runs orphaned since they were sent, waiting runs that no function attends to, and runs that should have
// been woken. Sent runs are marked, so that each is sent once, whoever polls.
const pick = `
  WITH fresh AS MATERIALIZED (
    SELECT id, dispatched_at FROM execution
    WHERE status IN ('pending', 'running') AND wake_at IS NULL AND (${isWaiting} OR ${isOver})
      AND (dispatched_at IS NULL OR dispatched_at < lease_until OR dispatched_at < now() - interval '${resendAfter}')
    ORDER BY started_at LIMIT ${runsMax} FOR UPDATE SKIP LOCKED),
  unattended AS MATERIALIZED (
    SELECT id, dispatched_at FROM execution
    WHERE status = 'running' AND wake_at IS NOT NULL AND lease_owner IS NULL AND dispatched_at IS NULL
    ORDER BY wake_at LIMIT ${runsMax} FOR UPDATE SKIP LOCKED),
  late AS MATERIALIZED (
    SELECT id, dispatched_at FROM execution
    WHERE status = 'running' AND wake_at < now() - interval '${wakeGrace}'
      AND (dispatched_at IS NULL OR dispatched_at < now() - interval '${resendAfter}')
    ORDER BY wake_at LIMIT ${runsMax} FOR UPDATE SKIP LOCKED)
  UPDATE execution e SET dispatched_at = now()
  FROM (SELECT * FROM fresh UNION SELECT * FROM unattended UNION SELECT * FROM late) AS picked
  WHERE e.id = picked.id
  RETURNING e.id, e.workspace_id, e.flow_id, e.fence, picked.dispatched_at AS earlier`;

// Inngest may have received the event although the response failed: a repeated event has the same id.
const unmark = `
  UPDATE execution e SET dispatched_at = s.earlier FROM unnest($1::text[], $2::timestamptz[], $3::int[]) AS s(id, earlier, fence)
  WHERE e.id = s.id AND e.fence = s.fence`;

/** Hands over unattended runs. `isLimited`: runs admission first. */
export async function dispatchPending(isLimited: boolean): Promise<number> {
  if (isLimited) await admitRuns();
  return await dispatchRuns();
}

/**
 * Sends all due, unclaimed runs to Inngest; returns how many. Never rejects because of Inngest: the next poll resends
 * failures under the same id, so they count once.
 */
export async function dispatchRuns(): Promise<number> {
  for (let sent = 0; ; ) {
    const rows = await query<Row & Record<string, unknown>>("dispatch-runs", pick, []);
    if (rows.length > 0 && !(await send(rows))) return sent;
    sent += rows.length;
    if (rows.length < runsMax) return sent;
  }
}

async function send(rows: readonly Row[]): Promise<boolean> {
  const events = rows.map((row) => ({
    name: executionRequested,
    id: eventId(row),
    data: { executionId: row.id, workspaceId: row.workspace_id, flowId: row.flow_id } satisfies ExecutionData,
  }));
  // A run that was sent but never started may have gone to a server that has forgotten this app.
  if (rows.some((row) => row.fence === 0 && row.earlier !== null)) await registerAgain();
  try {
    await inngest().send(events);
    return true;
  } catch (error) {
    logLine("error", `Inngest cannot be reached: ${rows.length} runs wait to be sent`, errorFields(error));
    void registerAgain();
    const earlier = rows.map((row) => row.earlier);
    await query("unmark-runs", unmark, [rows.map((row) => row.id), earlier, rows.map((row) => row.fence)]);
    return false;
  }
}

/** The execution's own id at first; a different one for each later request. */
function eventId({ id, fence, earlier }: Row): string {
  const again = earlier === null ? [] : [earlier.getTime()];
  return [id, ...(fence === 0 ? [] : [fence]), ...again].join(".");
}
