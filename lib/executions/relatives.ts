import { query } from "#lib/platform/database.ts";
import { runSignals } from "./run-signals.ts";

const readOrigin = "SELECT metadata FROM execution WHERE id = $1 AND source = 'sub-flow'";

const wake = `
  UPDATE execution SET wake_at = CASE WHEN wake_at IS NULL THEN NULL ELSE now() END
  WHERE id = $1 AND status = 'running'`;

/** Has the run looked at that started this one and may wait for its end. Most runs have none. */
export async function wakeParent(executionId: string): Promise<void> {
  const [origin] = await query<{ metadata: string }>("read-origin", readOrigin, [executionId]);
  if (origin === undefined) return;
  // Read here: PostgreSQL refuses some of what JSON can hold.
  const { parentExecutionId: parent } = JSON.parse(origin.metadata) as { parentExecutionId?: unknown };
  if (typeof parent !== "string") return;
  // The row is written in any case: one that is let go at this very moment is seen as it is after that.
  await query("wake-parent", wake, [parent]);
  await runSignals().woken(parent);
}

const readChildren = `
  SELECT c.id FROM execution_wait w JOIN execution c ON c.id = w.waited_id
  WHERE w.execution_id = $1 AND w.kind = 'execution' AND c.status IN ('pending', 'running')`;

/** The open executions whose end this run waits for. */
export async function waitedFor(executionId: string): Promise<string[]> {
  return (await query<{ id: string }>("waited-for", readChildren, [executionId])).map(({ id }) => id);
}
