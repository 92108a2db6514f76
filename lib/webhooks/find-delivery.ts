import type { ShownDelivery } from "#lib/contract/webhooks.ts";
import { notFound } from "#lib/errors.ts";
import { query } from "#lib/platform/database.ts";
import { isId, uuidOfId } from "#lib/platform/ids.ts";
import { type DeliveryRow, showDelivery, shownColumns } from "./show-delivery.ts";

const find = `SELECT ${shownColumns} FROM webhook_delivery WHERE id = $1 AND subscription_id = $2`;

/** A delivery of a subscription that the caller may read. Throws NOT_FOUND. */
export async function findDelivery(subscriptionId: string, id: string): Promise<ShownDelivery> {
  if (!isId("delivery", id)) throw notFound("Delivery");
  const [row] = await query<DeliveryRow>("find-delivery", find, [uuidOfId(id), subscriptionId]);
  if (row === undefined) throw notFound("Delivery");
  return showDelivery(row);
}
