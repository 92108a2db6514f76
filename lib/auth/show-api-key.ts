import { iso } from "#lib/platform/clock.ts";
import type { ApiKeyModel } from "#lib/platform/prisma/models.ts";

/** An API key as the API tells it: without the key, of which only a hash is stored. */
export function showApiKey(row: ApiKeyModel) {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    expiresAt: row.expiresAt === null ? null : iso(row.expiresAt),
    lastUsedAt: row.lastUsedAt === null ? null : iso(row.lastUsedAt),
    createdAt: iso(row.createdAt),
  };
}
