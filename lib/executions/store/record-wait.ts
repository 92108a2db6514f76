import type { WaitKind, WaitRequest, Wake } from "#lib/engine/wait.ts";
import { cancelRow } from "#lib/executions/cancel-execution.ts";
import { lockKey, takeEarlierEvent } from "#lib/executions/events/events.ts";
import { resumeTokenHash } from "#lib/executions/resume-token.ts";
import type { Run } from "#lib/executions/run.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { jsonInTurns } from "#lib/json/write-json.ts";
import { isoNow, nowMs } from "#lib/platform/clock.ts";
import { inTransaction, query, type RunStatement } from "#lib/platform/database.ts";
import { untilAvailable } from "./until-available.ts";

interface Row {
  status: string;
  resumed_at: Date | null;
  value: string | null;
}

// A call that arrives before its step waits is kept: the step finds itself already woken.
const recording = (lock: string, extraStatements: string) => `
  WITH owner AS (SELECT id, status, workspace_id FROM execution WHERE id = $1 AND fence = $2 ${lock}),
  made AS (
    INSERT INTO execution_wait (execution_id, step_id, kind, until, state, token_hash, created_at)
    SELECT id, $3, $4, $5::timestamptz, $6, $7, now() FROM owner WHERE status = 'running'
    ON CONFLICT (execution_id, step_id) DO UPDATE SET kind = excluded.kind, until = excluded.until,
      state = excluded.state, token_hash = excluded.token_hash
    RETURNING resumed_at, value)${extraStatements}
  SELECT owner.status, made.resumed_at, made.value FROM owner LEFT JOIN made ON true`;

const record = recording("FOR SHARE", "");
// The run's row is about to be updated.
const recordForEvent = recording(
  "FOR NO KEY UPDATE",
  `,
  waits AS (
    INSERT INTO event_wait (execution_id, step_id, workspace_id, key)
    SELECT id, $3, workspace_id, $8 FROM owner WHERE status = 'running' ON CONFLICT DO NOTHING)`,
);

const patienceMs = 120_000;

/** The result of recording a wait: the run's `status`, null if it belongs to another claim. */
interface RecordedWait {
  readonly status: string | null;
  readonly wake: Wake | null;
}

/** Stores what a step waits for, and the hash of the URL that can wake it. */
export async function recordWait(
  run: Pick<Run, "id" | "fence">,
  stepId: string,
  { kind, until, state }: WaitRequest,
): Promise<RecordedWait> {
  const tokenHash = kind === "call" ? resumeTokenHash(run.id, stepId) : null;
  const time = until === null ? null : new Date(until).toISOString();
  const values = [run.id, run.fence, stepId, kind, time, await jsonInTurns(state), tokenHash];
  const [row] = await untilAvailable(patienceMs, () =>
    kind === "event"
      ? recordForKey(run.id, stepId, String(state.key), values)
      : query<Row & Record<string, unknown>>("record-wait", record, values),
  );
  // An earlier cancellation could not know what the run waits for.
  const isLate = kind === "execution" && row?.status === "cancelled";
  if (isLate) await cancelRow(String(state.executionId), isoNow(), null);
  return { status: row?.status ?? null, wake: row === undefined ? null : await wakeOf({ ...row, kind }) };
}

/** The step may have missed its event: one that came since the run started wakes it at once. */
async function recordForKey(
  executionId: string,
  stepId: string,
  key: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return await inTransaction(async (run: RunStatement) => {
    await lockKey(run, key, "waiting");
    const [row] = await run<Row & Record<string, unknown>>("record-event-wait", recordForEvent, [...values, key]);
    if (row?.status !== "running" || row.resumed_at !== null) return row === undefined ? [] : [row];
    const taken = await takeEarlierEvent(run, key, { executionId, stepId });
    return [{ ...row, ...taken }];
  });
}

// Not now(): the statement may have waited for a call that was accepted meanwhile.
const close = `
  UPDATE execution_wait SET until = least(until, clock_timestamp())
  WHERE execution_id = $1 AND step_id = ANY($2::text[]) AND resumed_at IS NULL`;

/** Closes waits whose time limit has passed: from now on, no call or event is accepted for them. */
export async function closeWaits(executionId: string, stepIds: readonly string[]): Promise<void> {
  await query("close-waits", close, [executionId, stepIds]);
}

/** What woke a step, from its record; null while nothing has. */
export async function wakeOf({
  kind,
  resumed_at: at,
  value,
}: Pick<Row, "resumed_at" | "value"> & { readonly kind: WaitKind }): Promise<Wake | null> {
  if (at === null) return null;
  const by = kind === "event" ? "event" : "call";
  return { by, at: at.toISOString(), value: await parseOwnJson(value ?? "null") };
}

/** What a run waits for when nothing else in it is in progress. */
export interface OpenWaits {
  readonly stepIds: readonly string[];
  /** Executions whose end it waits for. */
  readonly executionIds: readonly string[];
  /** Epoch milliseconds when the first wait times out; null if none does. */
  readonly until: number | null;
}

const never = Date.parse("9999-12-31T00:00:00Z");
/** If a process dies after an execution's end and before waking its parent, the parent finds out this much later. */
const recheckAfterMs = 300_000;

const suspend = `
  UPDATE execution SET lease_owner = NULL, lease_until = NULL, work_ms = $3, wake_at = $4
  WHERE id = $1 AND fence = $2 AND status = 'running'`;

// A call concurrent with the first statement is not seen by it and does not see the suspension either. This statement
// only moves the time earlier, so it undoes no concurrent call.
const wakeIfResumed = `
  UPDATE execution SET wake_at = now()
  WHERE id = $1 AND fence = $2 AND status = 'running' AND wake_at > now() AND (
    EXISTS (
      SELECT 1 FROM execution_wait w
      WHERE w.execution_id = $1 AND w.step_id = ANY($3::text[]) AND w.resumed_at IS NOT NULL)
    OR EXISTS (
      SELECT 1 FROM unnest($4::text[]) AS child(id) LEFT JOIN execution c ON c.id = child.id
      WHERE c.id IS NULL OR c.status NOT IN ('pending', 'running')))`;

/** Suspends a run that only waits; workers find it when it is due. `workMs`: how much of its time limit it has used. */
export async function suspendRun({ id, fence }: Run, workMs: number, waits: OpenWaits): Promise<void> {
  const latest = waits.executionIds.length === 0 ? never : nowMs() + recheckAfterMs;
  const wakeAt = new Date(Math.min(waits.until ?? never, latest)).toISOString();
  const values = [id, fence, Math.round(workMs), wakeAt];
  await untilAvailable(patienceMs, () => query("suspend-run", suspend, values));
  const wakeValues = [id, fence, waits.stepIds, waits.executionIds];
  await untilAvailable(patienceMs, () => query("wake-suspended", wakeIfResumed, wakeValues));
}
