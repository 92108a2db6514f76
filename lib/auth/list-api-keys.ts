import { database } from "#lib/platform/database.ts";
import type { Actor } from "./actor.ts";
import { showApiKey } from "./show-api-key.ts";

/** A page of the workspace's API keys that are not revoked, the newest first. */
export async function listApiKeys(actor: Actor, { page, limit }: { page: number; limit: number }) {
  const where = { workspaceId: actor.workspaceId, revokedAt: null };
  const total = await database().apiKey.count({ where });
  if ((page - 1) * limit >= total) return { items: [], total };
  const rows = await database().apiKey.findMany({
    where,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    skip: (page - 1) * limit,
    take: limit,
  });
  return { items: rows.map(showApiKey), total };
}
