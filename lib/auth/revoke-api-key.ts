import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import type { Actor } from "./actor.ts";

/** Ends an API key for good, with the old secret of a rotation. Throws NOT_FOUND. */
export async function revokeApiKey(actor: Actor, id: string): Promise<null> {
  const where = { id, workspaceId: actor.workspaceId, revokedAt: null };
  // The row stays: flows name the key that made their versions.
  const { count } = isId("key", id)
    ? await database().apiKey.updateMany({ where, data: { revokedAt: new Date() } })
    : { count: 0 };
  if (count === 0) throw notFound("API key");
  return null;
}
