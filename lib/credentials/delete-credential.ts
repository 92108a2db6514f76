import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";

/** Deletes a credential for good. Throws NOT_FOUND. */
export async function deleteCredential(actor: Actor, id: string): Promise<null> {
  const where = { id, workspaceId: actor.workspaceId };
  if (!isId("credential", id)) throw notFound("Credential");
  await database().$transaction(async (tx) => {
    const found = await tx.credential.findFirst({ where });
    const { count } = await tx.credential.deleteMany({ where });
    if (found === null || count === 0) throw notFound("Credential");
    await recordChange(tx, actor, { action: "credential.deleted", id, name: found.name, before: { type: found.type } });
  });
  return null;
}
