import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { database, query } from "#lib/platform/database.ts";
import { cancelRow } from "./cancel-execution.ts";
import { deleteEnded } from "./delete-ended.ts";
import { findExecution } from "./find-execution.ts";
import { runWatch } from "./watch-runs.ts";

/** Deletes one record with all that belongs to it; a run that has not ended is cancelled first. Throws NOT_FOUND. */
export async function deleteExecution(actor: Actor, id: string): Promise<null> {
  const { status } = await findExecution(actor, id);
  if (status === "pending" || status === "running") await cancelRow(id, isoNow(), null);
  if ((await deleteRows([id])) === 0) throw notFound("Execution");
  await recordChange(database(), actor, { action: "executions.deleted", id, after: { count: 1 } });
  return null;
}

const remove = deleteEnded("id = ANY($1::text[])");

/** Deletes the records of these runs that have ended; gives how many there were. */
export async function deleteRows(ids: readonly string[]): Promise<number> {
  const deleted = await query<{ id: string }>("delete-executions", remove, [ids]);
  runWatch().changed(deleted.map((row) => row.id));
  return deleted.length;
}
