import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import type { WebhookSubscriptionModel } from "#lib/platform/prisma/models.ts";

/** A subscription of the actor's workspace. Throws NOT_FOUND. */
export async function findSubscription(actor: Actor, id: string): Promise<WebhookSubscriptionModel> {
  if (!isId("subscription", id)) throw notFound("Webhook subscription");
  const row = await database().webhookSubscription.findFirst({ where: { id, workspaceId: actor.workspaceId } });
  if (row === null) throw notFound("Webhook subscription");
  return row;
}
