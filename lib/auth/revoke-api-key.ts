import { recordChange } from "#lib/audit/record-change.ts";
import { notFound } from "#lib/errors.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import type { Actor } from "./actor.ts";

/** Ends an API key for good, with the old secret of a rotation. Throws NOT_FOUND. */
export async function revokeApiKey(actor: Actor, id: string): Promise<null> {
  const where = { id, workspaceId: actor.workspaceId, revokedAt: null };
  // The row stays: flows name the key that made their versions.
  if (!isId("key", id)) throw notFound("API key");
  await database().$transaction(async (tx) => {
    const [key] = await tx.apiKey.updateManyAndReturn({ where, data: { revokedAt: timeNow() } });
    if (key === undefined) throw notFound("API key");
    await recordChange(tx, actor, { action: "key.revoked", id, name: key.name });
  });
  return null;
}
