import type { Actor } from "#lib/auth/actor.ts";
import type { DeliveryStatus } from "#lib/contract/webhooks.ts";
import { query } from "#lib/platform/database.ts";
import { findSubscription } from "./find-subscription.ts";
import { type DeliveryRow, showDelivery, shownColumns } from "./show-delivery.ts";

interface Filter {
  readonly page: number;
  readonly limit: number;
  readonly status?: DeliveryStatus | undefined;
}

const matching = "FROM webhook_delivery WHERE subscription_id = $1 AND ($2::text IS NULL OR status = $2)";

const count = `SELECT count(*)::int AS total ${matching}`;
const select = `SELECT ${shownColumns} ${matching} ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`;

/** A page of a subscription's deliveries, the newest first. Throws NOT_FOUND. */
export async function listDeliveries(actor: Actor, id: string, { page, limit, status }: Filter) {
  await findSubscription(actor, id);
  const values = [id, status ?? null];
  const [{ total } = { total: 0 }] = await query<{ total: number }>("count-deliveries", count, values);
  if ((page - 1) * limit >= total) return { items: [], total };
  const rows = await query<DeliveryRow>("list-deliveries", select, [...values, limit, (page - 1) * limit]);
  return { items: rows.map(showDelivery), total };
}
