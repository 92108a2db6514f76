import type { DeliveryStatus, ShownSubscription } from "#lib/contract/webhooks.ts";
import { iso } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { idOfUuid } from "#lib/platform/ids.ts";
import type { WebhookSubscriptionModel } from "#lib/platform/prisma/models.ts";

interface LastRow {
  subscription_id: string;
  id: string;
  event: string;
  status: DeliveryStatus;
  answer_status: number | null;
  last_attempt_at: Date;
}

const lastOfEach = `
  SELECT d.* FROM unnest($1::text[]) AS s(id) CROSS JOIN LATERAL (
    SELECT subscription_id, id, event, status, answer_status, last_attempt_at FROM webhook_delivery
    WHERE subscription_id = s.id AND last_attempt_at IS NOT NULL ORDER BY last_attempt_at DESC LIMIT 1) AS d`;

/** Subscriptions as they are told, with what last became of a delivery. */
export async function showSubscriptions(rows: readonly WebhookSubscriptionModel[]): Promise<ShownSubscription[]> {
  const found = await query<LastRow & Record<string, unknown>>("last-deliveries", lastOfEach, [
    rows.map((row) => row.id),
  ]);
  const last = new Map(found.map((row) => [row.subscription_id, row]));
  return rows.map((row) => showSubscription(row, last.get(row.id)));
}

export function showSubscription(row: WebhookSubscriptionModel, last?: LastRow): ShownSubscription {
  const { id, url, events, active, createdAt, updatedAt } = row;
  const lastDelivery = last && {
    id: idOfUuid("delivery", last.id),
    event: last.event,
    status: last.status,
    statusCode: last.answer_status,
    attemptedAt: iso(last.last_attempt_at),
  };
  return {
    id,
    url,
    events,
    active,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
    lastDelivery: lastDelivery ?? null,
  };
}
