import { scopes as allScopes } from "#lib/access.ts";
import type { NewApiKey } from "#lib/contract/api-keys.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { type Actor, requireOwnScopes } from "./actor.ts";
import { hashOfKey, newApiKey, shownPrefix } from "./api-key-format.ts";
import { showApiKey } from "./show-api-key.ts";

/** Makes an API key; the answer holds the key itself, this once. Throws FORBIDDEN, VALIDATION_ERROR. */
export async function createApiKey(actor: Actor, { name, scopes = [...allScopes], expiresAt = null }: NewApiKey) {
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
    throw new AppError("VALIDATION_ERROR", "The request body is not valid", {
      details: { expiresAt: "expiresAt must lie in the future" },
    });
  }
  requireOwnScopes(actor, scopes);
  const key = newApiKey();
  const row = await database().apiKey.create({
    data: {
      id: newId("key"),
      workspaceId: actor.workspaceId,
      name,
      hash: hashOfKey(key),
      prefix: shownPrefix(key),
      scopes,
      expiresAt,
    },
  });
  return { ...showApiKey(row), key };
}
