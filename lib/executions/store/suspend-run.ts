import type { Run } from "#lib/executions/run.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { untilAvailable } from "./until-available.ts";

/** What a run waits for when nothing else of it goes on. */
export interface OpenWaits {
  readonly stepIds: readonly string[];
  /** Executions whose end is waited for. */
  readonly executionIds: readonly string[];
  /** Epoch milliseconds at which the first of them is over by itself; null: none is. */
  readonly until: number | null;
}

const never = Date.parse("9999-12-31T00:00:00Z");
/** An execution whose process died between its end and the word of it is found to have ended this much later. */
const lookAfterMs = 300_000;

const suspend = `
  UPDATE execution SET lease_owner = NULL, lease_until = NULL, work_ms = $3, wake_at = $4
  WHERE id = $1 AND fence = $2 AND status = 'running'`;

// A call that came during the first statement could neither be seen by it nor see that the run was let go. This one
// only ever brings the time forward, so that it undoes no call that comes during it.
const lookAgain = `
  UPDATE execution SET wake_at = now()
  WHERE id = $1 AND fence = $2 AND status = 'running' AND wake_at > now() AND (
    EXISTS (
      SELECT 1 FROM execution_wait w
      WHERE w.execution_id = $1 AND w.step_id = ANY($3::text[]) AND w.resumed_at IS NOT NULL)
    OR EXISTS (
      SELECT 1 FROM unnest($4::text[]) AS child(id) LEFT JOIN execution c ON c.id = child.id
      WHERE c.id IS NULL OR c.status NOT IN ('pending', 'running')))`;

const patienceMs = 120_000;

/**
 * Gives a run that only waits out of this process's hands: whoever looks for work finds it when it is time. `workMs`
 * is what it has used of its time limit.
 */
export async function suspendRun({ id, fence }: Run, workMs: number, waits: OpenWaits): Promise<void> {
  const latest = waits.executionIds.length === 0 ? never : nowMs() + lookAfterMs;
  const wakeAt = new Date(Math.min(waits.until ?? never, latest)).toISOString();
  const values = [id, fence, Math.round(workMs), wakeAt];
  await untilAvailable(patienceMs, () => query("suspend-run", suspend, values));
  const woken = [id, fence, waits.stepIds, waits.executionIds];
  await untilAvailable(patienceMs, () => query("wake-suspended", lookAgain, woken));
}
