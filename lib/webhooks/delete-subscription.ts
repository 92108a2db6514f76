import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { database, query } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";

const batchMax = 1_000;

const remove = `
  DELETE FROM webhook_delivery WHERE id IN (
    SELECT id FROM webhook_delivery WHERE subscription_id = $1 LIMIT ${batchMax}) RETURNING id`;

/** Nothing more is sent from the moment that the subscription is gone. Throws NOT_FOUND. */
export async function deleteSubscription(actor: Actor, id: string): Promise<null> {
  if (!isId("subscription", id)) throw notFound("Webhook subscription");
  await database().$transaction(async (tx) => {
    const where = { id, workspaceId: actor.workspaceId };
    const found = await tx.webhookSubscription.findFirst({ where });
    const { count } = await tx.webhookSubscription.deleteMany({ where });
    if (found === null || count === 0) throw notFound("Webhook subscription");
    await recordChange(tx, actor, { action: "webhook.deleted", id, name: new URL(found.url).host });
  });
  while ((await query("delete-deliveries", remove, [id])).length === batchMax);
  return null;
}
