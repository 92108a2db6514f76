import type { Actor } from "#lib/auth/actor.ts";
import { database } from "#lib/platform/database.ts";
import { showCredential } from "./show-credential.ts";

/** A page of the workspace's credentials, the newest first. */
export async function listCredentials(actor: Actor, { page, limit }: { page: number; limit: number }) {
  const where = { workspaceId: actor.workspaceId };
  const total = await database().credential.count({ where });
  if ((page - 1) * limit >= total) return { items: [], total };
  const rows = await database().credential.findMany({
    where,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    skip: (page - 1) * limit,
    take: limit,
    omit: { ciphertext: true },
  });
  return { items: rows.map(showCredential), total };
}
