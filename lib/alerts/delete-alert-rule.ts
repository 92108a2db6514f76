import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";

/** Deletes a rule with its alerts. Throws NOT_FOUND. */
export async function deleteAlertRule({ workspaceId }: Actor, id: string): Promise<null> {
  if (!isId("alertRule", id)) throw notFound("Alert rule");
  const { count } = await database().alertRule.deleteMany({ where: { id, workspaceId } });
  if (count === 0) throw notFound("Alert rule");
  return null;
}
