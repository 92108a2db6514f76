import type { WaitRequest, Wake } from "#lib/engine/wait.ts";
import { cancelRow } from "#lib/executions/cancel-execution.ts";
import { resumeTokenHash } from "#lib/executions/resume-token.ts";
import type { Run } from "#lib/executions/run.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { untilAvailable } from "./until-available.ts";

interface Row {
  status: string;
  resumed_at: Date | null;
  value: string | null;
}

// A call that arrives before its step waits is kept, and the step finds that it was already woken.
const record = `
  WITH owner AS (SELECT id, status FROM execution WHERE id = $1 AND fence = $2 FOR SHARE),
  made AS (
    INSERT INTO execution_wait (execution_id, step_id, kind, until, state, token_hash, created_at)
    SELECT id, $3, $4, $5::timestamptz, $6, $7, now() FROM owner WHERE status = 'running'
    ON CONFLICT (execution_id, step_id) DO UPDATE SET kind = excluded.kind, until = excluded.until,
      state = excluded.state, token_hash = excluded.token_hash
    RETURNING resumed_at, value)
  SELECT owner.status, made.resumed_at, made.value FROM owner LEFT JOIN made ON true`;

const patienceMs = 120_000;

/** The result of recording a wait: the run's `status`, null if it belongs to another claim. */
export interface RecordedWait {
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
  const values = [run.id, run.fence, stepId, kind, time, JSON.stringify(state), tokenHash];
  const [row] = await untilAvailable(patienceMs, () => query<Row>("record-wait", record, values));
  // A cancellation before this record could not know what the run waits for.
  const isLate = kind === "execution" && row?.status === "cancelled";
  if (isLate) await cancelRow(String(state.executionId), isoNow(), null);
  return { status: row?.status ?? null, wake: row === undefined ? null : wakeOf(row) };
}

/** What woke a step, from its record; null while nothing has. */
export function wakeOf({ resumed_at: at, value }: Pick<Row, "resumed_at" | "value">): Wake | null {
  return at === null ? null : { by: "call", at: at.toISOString(), value: JSON.parse(value ?? "null") };
}
