import { recordChange } from "#lib/audit/record-change.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { type Actor, requireOwnScopes } from "./actor.ts";
import { hashOfKey, newApiKey, shownPrefix } from "./api-key-format.ts";
import { showApiKey } from "./show-api-key.ts";

/**
 * Gives an API key a new secret; the one before works for `graceSeconds` more. Who rotates a key could use it, so
 * all of its scopes are asked for. Throws NOT_FOUND, FORBIDDEN, INVALID_STATUS.
 */
export async function rotateApiKey(actor: Actor, id: string, graceSeconds: number) {
  if (!isId("key", id)) throw notFound("API key");
  const key = newApiKey();
  const row = await database().$transaction(async (tx) => {
    const locked = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM api_key WHERE id = ${id} AND workspace_id = ${actor.workspaceId} AND revoked_at IS NULL
      FOR UPDATE`;
    if (locked.length === 0) throw notFound("API key");
    const before = await tx.apiKey.findUniqueOrThrow({ where: { id } });
    requireOwnScopes(actor, before.scopes);
    const now = nowMs();
    if (before.expiresAt !== null && before.expiresAt.getTime() <= now) {
      throw new AppError("INVALID_STATUS", "The key has expired: make a new one", {
        details: { currentStatus: "expired" },
      });
    }
    const previous =
      graceSeconds === 0
        ? { previousHash: null, previousUntil: null }
        : { previousHash: before.hash, previousUntil: new Date(now + graceSeconds * 1_000) };
    await recordChange(tx, actor, { action: "key.rotated", id, name: before.name, after: { graceSeconds } });
    return await tx.apiKey.update({
      where: { id },
      data: { hash: hashOfKey(key), prefix: shownPrefix(key), ...previous },
    });
  });
  return { ...showApiKey(row), key };
}
