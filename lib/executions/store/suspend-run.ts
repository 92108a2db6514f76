import type { Run } from "#lib/executions/run.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { untilAvailable } from "./until-available.ts";

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

const patienceMs = 120_000;

/** Suspends a run that only waits; workers find it when it is due. `workMs`: how much of its time limit it has used. */
export async function suspendRun({ id, fence }: Run, workMs: number, waits: OpenWaits): Promise<void> {
  const latest = waits.executionIds.length === 0 ? never : nowMs() + recheckAfterMs;
  const wakeAt = new Date(Math.min(waits.until ?? never, latest)).toISOString();
  const values = [id, fence, Math.round(workMs), wakeAt];
  await untilAvailable(patienceMs, () => query("suspend-run", suspend, values));
  const wakeValues = [id, fence, waits.stepIds, waits.executionIds];
  await untilAvailable(patienceMs, () => query("wake-suspended", wakeIfResumed, wakeValues));
}
