import type { Actor } from "#lib/auth/actor.ts";
import type { ShownDelivery } from "#lib/contract/webhooks.ts";
import { findDelivery } from "./find-delivery.ts";
import { findSubscription } from "./find-subscription.ts";

/** A delivery of one of the workspace's subscriptions. Throws NOT_FOUND. */
export async function readDelivery(actor: Actor, id: string, deliveryId: string): Promise<ShownDelivery> {
  await findSubscription(actor, id);
  return await findDelivery(id, deliveryId);
}
