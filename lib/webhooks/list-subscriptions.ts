import type { Actor } from "#lib/auth/actor.ts";
import { database } from "#lib/platform/database.ts";
import { showSubscriptions } from "./show-subscription.ts";

/** A page of the workspace's subscriptions, the newest first. */
export async function listSubscriptions(actor: Actor, { page, limit }: { page: number; limit: number }) {
  const where = { workspaceId: actor.workspaceId };
  const total = await database().webhookSubscription.count({ where });
  if ((page - 1) * limit >= total) return { items: [], total };
  const rows = await database().webhookSubscription.findMany({
    where,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    skip: (page - 1) * limit,
    take: limit,
  });
  return { items: await showSubscriptions(rows), total };
}
