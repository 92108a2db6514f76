import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";

/** A rule of the actor's workspace. Throws NOT_FOUND. */
export async function findAlertRule({ workspaceId }: Actor, id: string) {
  const row = isId("alertRule", id) ? await database().alertRule.findFirst({ where: { id, workspaceId } }) : null;
  if (row === null) throw notFound("Alert rule");
  return row;
}
