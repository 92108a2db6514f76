import { query } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { admitRuns } from "#lib/runtime/embedded/admit-runs.ts";
import { inngest } from "./client.ts";
import { type ExecutionData, executionRequested } from "./events.ts";
import { registerAgain } from "./register-app.ts";

/** Runs that one look hands over. */
const runsMax = 200;
/** After this long without anybody having taken a run up, it is sent again. */
const resendAfter = "60 seconds";
/** Inngest itself wakes a function that waits; only when it has not, another is asked for. */
const wakeGrace = "30 seconds";

interface Row {
  id: string;
  workspace_id: string;
  flow_id: string;
  fence: number;
  earlier: Date | null;
}

// New runs, and runs whose process did not renew its lease since they were sent; runs that wait and that nobody attends
// to; runs that should have been woken. What is sent is marked, so that each is sent once, whoever looks.
const pick = `
  WITH fresh AS MATERIALIZED (
    SELECT id, dispatched_at FROM execution
    WHERE status IN ('pending', 'running') AND wake_at IS NULL AND ((status = 'pending' AND NOT held) OR lease_until < now())
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

// A failed answer does not say that the event was not received: what is sent again bears the same id.
const unmark = `
  UPDATE execution e SET dispatched_at = s.earlier FROM unnest($1::text[], $2::timestamptz[], $3::int[]) AS s(id, earlier, fence)
  WHERE e.id = s.id AND e.fence = s.fence`;

/** Sees to the runs that nobody attends to. `isLimited`: it may be some run's turn among the runs of its flow. */
export async function handOver(isLimited: boolean): Promise<number> {
  if (isLimited) await admitRuns();
  return await dispatchRuns();
}

/**
 * Hands to Inngest all runs that are to be done and that nobody has; gives how many there were. Never rejects for
 * Inngest: what could not be sent is sent with the next look, under the same id, so that it counts once.
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
  // What was taken and never begun may have come to a server that does not know this app any more.
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

/** The execution's own id at first; later one for each time that it is asked for anew. */
function eventId({ id, fence, earlier }: Row): string {
  const again = earlier === null ? [] : [earlier.getTime()];
  return [id, ...(fence === 0 ? [] : [fence]), ...again].join(".");
}
