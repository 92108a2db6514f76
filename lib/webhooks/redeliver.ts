import type { Actor } from "#lib/auth/actor.ts";
import type { ShownDelivery } from "#lib/contract/webhooks.ts";
import { AppError } from "#lib/errors.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { uuidOfId } from "#lib/platform/ids.ts";
import { findDelivery } from "./find-delivery.ts";
import { findSubscription } from "./find-subscription.ts";

// One that is being sent at this moment is left to that.
const renew = `
  UPDATE webhook_delivery SET status = 'pending', failures = 0, next_attempt_at = $2::timestamptz, lease_until = NULL
  WHERE id = $1 AND NOT (status = 'pending' AND coalesce(lease_until > $2::timestamptz, false))`;

/** Has a delivery sent again at once, under its id. Throws NOT_FOUND, and INVALID_STATUS for an inactive subscription. */
export async function redeliver(actor: Actor, id: string, deliveryId: string, now = timeNow()): Promise<ShownDelivery> {
  const { active } = await findSubscription(actor, id);
  await findDelivery(id, deliveryId);
  if (!active) {
    throw new AppError("INVALID_STATUS", "The subscription is inactive: activate it to send to it", {
      details: { currentStatus: "inactive" },
    });
  }
  await query("redeliver", renew, [uuidOfId(deliveryId), now]);
  return await findDelivery(id, deliveryId);
}
