import type { StepOfRun } from "#lib/nodes/across-runs/table-access.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import type { RunStatement } from "#lib/platform/database.ts";

const readEffect = "SELECT result FROM step_effect WHERE execution_id = $1 AND step_id = $2";
const noteEffect = "INSERT INTO step_effect (execution_id, step_id, result) VALUES ($1, $2, $3)";
// Locks the run's row only for the commit, so that leases are renewed while the work waits for other writers.
const holdClaim = "SELECT id FROM execution WHERE id = $1 AND fence = $2 AND status = 'running' FOR SHARE";

/**
 * Does a step's work on this database once: the given transaction also records its result. If the step starts again,
 * because its process died before the step was recorded as done, it gets that result and changes nothing. Throws
 * NodeFailure if another process has claimed the run or the run has ended: the transaction must then be rolled back.
 */
export async function onceForStep<Result>(
  run: RunStatement,
  { executionId, stepId, fence }: StepOfRun,
  work: () => Promise<Result>,
): Promise<Result> {
  const [earlier] = await run<{ result: string }>("read-step-effect", readEffect, [executionId, stepId]);
  const result: Result = earlier === undefined ? await work() : JSON.parse(earlier.result);
  if (earlier === undefined) await run("note-step-effect", noteEffect, [executionId, stepId, JSON.stringify(result)]);
  const held = await run("hold-claim", holdClaim, [executionId, fence]);
  if (held.length === 0) throw new NodeFailure("RUN_TAKEN_OVER", "The run has ended, or another process claimed it");
  return result;
}
