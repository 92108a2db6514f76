import type { Actor } from "#lib/auth/actor.ts";
import { database } from "#lib/platform/database.ts";
import { showInvitation } from "./show-invitation.ts";

/** A page of the workspace's open invitations, the newest first. */
export async function listInvitations({ workspaceId }: Actor, { page, limit }: { page: number; limit: number }) {
  const where = { workspaceId };
  const total = await database().invitation.count({ where });
  if ((page - 1) * limit >= total) return { items: [], total };
  const rows = await database().invitation.findMany({
    where,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    skip: (page - 1) * limit,
    take: limit,
  });
  return { items: rows.map(showInvitation), total };
}
