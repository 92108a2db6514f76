import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";

/** Withdraws an invitation: its link works no more. Throws NOT_FOUND. */
export async function deleteInvitation(actor: Actor, id: string): Promise<null> {
  if (!isId("invitation", id)) throw notFound("Invitation");
  await database().$transaction(async (tx) => {
    const where = { id, workspaceId: actor.workspaceId };
    const found = await tx.invitation.findFirst({ where });
    const { count } = await tx.invitation.deleteMany({ where });
    if (found === null || count === 0) throw notFound("Invitation");
    await recordChange(tx, actor, { action: "invitation.withdrawn", id, name: found.email });
  });
  return null;
}
