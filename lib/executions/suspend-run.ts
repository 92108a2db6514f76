import { query } from "#lib/platform/database.ts";
import type { Run } from "./run.ts";
import { untilAvailable } from "./until-available.ts";

/** What a run waits for when nothing else of it goes on. */
export interface OpenWaits {
  readonly stepIds: readonly string[];
  /** Executions whose end is waited for. */
  readonly executionIds: readonly string[];
  /** Epoch milliseconds at which the first of them is over by itself; null: none is. */
  readonly until: number | null;
}

const never = "9999-12-31T00:00:00.000Z";

// What has woken one of the steps meanwhile has the run looked at again at once.
const suspend = `
  UPDATE execution SET lease_owner = NULL, lease_until = NULL, work_ms = $3,
    wake_at = CASE WHEN EXISTS (
        SELECT 1 FROM execution_wait w
        WHERE w.execution_id = $1 AND w.step_id = ANY($5::text[]) AND w.resumed_at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM execution c WHERE c.id = ANY($6::text[]) AND c.status NOT IN ('pending', 'running'))
      THEN now() ELSE $4::timestamptz END
  WHERE id = $1 AND fence = $2 AND status = 'running'`;

const patienceMs = 120_000;

/**
 * Gives a run that only waits out of this process's hands: whoever looks for work finds it when it is time. `workMs`
 * is what it has used of its time limit.
 */
export async function suspendRun({ id, fence }: Run, workMs: number, waits: OpenWaits): Promise<void> {
  const wakeAt = waits.until === null ? never : new Date(waits.until).toISOString();
  const values = [id, fence, Math.round(workMs), wakeAt, waits.stepIds, waits.executionIds];
  const write = () => untilAvailable(patienceMs, () => query("suspend-run", suspend, values));
  await write();
  // Said twice: a call that came during the first could neither be seen by it nor see that the run was let go.
  await write();
}
