import { scopes as allScopes } from "#lib/access.ts";
import { recordChange } from "#lib/audit/record-change.ts";
import type { NewApiKey } from "#lib/contract/api-keys.ts";
import { AppError } from "#lib/errors.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { type Actor, requireOwnScopes } from "./actor.ts";
import { hashOfKey, newApiKey, shownPrefix } from "./api-key-format.ts";
import { showApiKey } from "./show-api-key.ts";

/** Makes an API key; the answer holds the key itself, this once. Throws FORBIDDEN, VALIDATION_ERROR. */
export async function createApiKey(actor: Actor, { name, scopes = [...allScopes], expiresAt = null }: NewApiKey) {
  if (expiresAt !== null && expiresAt.getTime() <= nowMs()) {
    throw new AppError("VALIDATION_ERROR", "The request body is not valid", {
      details: { expiresAt: "expiresAt must lie in the future" },
    });
  }
  requireOwnScopes(actor, scopes);
  const key = newApiKey();
  const columns = { name, hash: hashOfKey(key), prefix: shownPrefix(key), scopes, expiresAt };
  const row = await database().$transaction(async (tx) => {
    const made = await tx.apiKey.create({ data: { id: newId("key"), workspaceId: actor.workspaceId, ...columns } });
    await recordChange(tx, actor, { action: "key.created", id: made.id, name, after: { scopes, expiresAt } });
    return made;
  });
  return { ...showApiKey(row), key };
}
