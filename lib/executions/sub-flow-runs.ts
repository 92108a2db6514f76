import { query } from "#lib/platform/database.ts";
import { runSignals } from "./live/run-signals.ts";

const readOrigin = "SELECT metadata FROM execution WHERE id = $1 AND source IN ('sub-flow', 'draft-sub-flow')";

const wake = `
  UPDATE execution SET wake_at = CASE WHEN wake_at IS NULL THEN NULL ELSE now() END
  WHERE id = $1 AND status = 'running'`;

/** Wakes the parent of a run that may wait for its end. Most runs have none. */
export async function wakeParent(executionId: string): Promise<void> {
  const [origin] = await query<{ metadata: string }>("read-origin", readOrigin, [executionId]);
  if (origin === undefined) return;
  // Parsed here, because PostgreSQL refuses some valid JSON.
  const { parentExecutionId: parent } = JSON.parse(origin.metadata) as { parentExecutionId?: unknown };
  if (typeof parent !== "string") return;
  // Writes the row unconditionally, which waits for a concurrent suspension and then sees it.
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

// A wait is recorded before it starts and is kept until the execution has ended, even if the waiting run is gone.
const readOrphanedChildren = `
  SELECT DISTINCT c.id FROM execution c JOIN execution_wait w ON w.waited_id = c.id AND w.kind = 'execution'
  LEFT JOIN execution p ON p.id = w.execution_id
  WHERE c.status IN ('pending', 'running') AND (p.id IS NULL OR p.completed_at IS NOT NULL) LIMIT 200`;

/** Open executions whose waiting parent is gone. */
export async function orphanedChildren(): Promise<string[]> {
  return (await query<{ id: string }>("orphaned-children", readOrphanedChildren, [])).map(({ id }) => id);
}
