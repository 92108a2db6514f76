import type { Actor } from "#lib/auth/actor.ts";
import { database } from "#lib/platform/database.ts";
import { memberParts, showMember } from "./show-member.ts";

/** A page of the workspace's members, in the order in which they joined. */
export async function listMembers({ workspaceId }: Actor, { page, limit }: { page: number; limit: number }) {
  const where = { workspaceId };
  const total = await database().membership.count({ where });
  if ((page - 1) * limit >= total) return { items: [], total };
  const rows = await database().membership.findMany({
    where,
    include: memberParts,
    orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
    skip: (page - 1) * limit,
    take: limit,
  });
  return { items: rows.map(showMember), total };
}
