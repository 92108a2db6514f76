import { recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { isoNow } from "#lib/platform/clock.ts";
import type { RunStatement } from "#lib/platform/database.ts";
import { cancelRow } from "./cancel-execution.ts";
import { deleteEnded } from "./delete-ended.ts";
import { findExecution } from "./find-execution.ts";
import { runWatch } from "./watch-runs.ts";

/** Deletes one record with all that belongs to it; a run that has not ended is cancelled first. Throws NOT_FOUND. */
export async function deleteExecution(actor: Actor, id: string): Promise<null> {
  const { status } = await findExecution(actor, id);
  if (status === "pending" || status === "running") await cancelRow(id, isoNow(), null);
  const entry = { action: "executions.deleted", id, after: { count: 1 } } as const;
  if ((await deleteRows([id], (run) => recordWith(run, actor, entry))) === 0) throw notFound("Execution");
  return null;
}

const named = { name: "executions", condition: "id = ANY($1::text[])", rest: "ORDER BY id FOR UPDATE" };

/** Deletes the records of these runs that have ended; gives how many there were. `along`: see `deleteEnded`. */
export async function deleteRows(
  ids: readonly string[],
  along?: (run: RunStatement, count: number) => Promise<void>,
): Promise<number> {
  const deleted = await deleteEnded(named, [ids], along);
  runWatch().changed(deleted);
  return deleted.length;
}
