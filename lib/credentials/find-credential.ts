import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";

/** A credential of the actor's workspace, still sealed. Throws NOT_FOUND. */
export async function findCredential(actor: Actor, id: string) {
  const where = { id, workspaceId: actor.workspaceId };
  const row = isId("credential", id)
    ? await database().credential.findFirst({ where, omit: { ciphertext: true } })
    : null;
  if (row === null) throw notFound("Credential");
  return row;
}
