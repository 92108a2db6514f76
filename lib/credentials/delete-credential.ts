import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";

/** Deletes a credential for good. Throws NOT_FOUND. */
export async function deleteCredential(actor: Actor, id: string): Promise<null> {
  const where = { id, workspaceId: actor.workspaceId };
  const { count } = isId("credential", id) ? await database().credential.deleteMany({ where }) : { count: 0 };
  if (count === 0) throw notFound("Credential");
  return null;
}
