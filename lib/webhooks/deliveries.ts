import type { Actor } from "#lib/auth/actor.ts";
import type { DeliveryStatus, ShownDelivery } from "#lib/contract/webhooks.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { iso, timeNow } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { idOfUuid, isId, uuidOfId } from "#lib/platform/ids.ts";
import { bodyOf } from "./claim-deliveries.ts";
import { closeDeliveries } from "./settle-delivery.ts";
import { findSubscription } from "./subscriptions.ts";

const bodyCharactersMax = 65_536;

/** The columns to show; only the beginning of a large body. */
const shownColumns = `id, event, execution_id, status, attempts, created_at, last_attempt_at, next_attempt_at,
  answer_status, answer_body, error, left(${bodyOf("d")}, ${bodyCharactersMax}) AS body`;

interface DeliveryRow extends Record<string, unknown> {
  id: string;
  event: string;
  execution_id: string | null;
  status: DeliveryStatus;
  attempts: number;
  created_at: Date;
  last_attempt_at: Date | null;
  next_attempt_at: Date;
  answer_status: number | null;
  answer_body: string | null;
  error: string | null;
  body: string;
}

function showDelivery(row: DeliveryRow): ShownDelivery {
  return {
    id: idOfUuid("delivery", row.id),
    event: row.event,
    executionId: row.execution_id,
    status: row.status,
    attempts: row.attempts,
    createdAt: iso(row.created_at),
    lastAttemptAt: row.last_attempt_at === null ? null : iso(row.last_attempt_at),
    nextAttemptAt: row.status === "pending" ? iso(row.next_attempt_at) : null,
    statusCode: row.answer_status,
    responseBody: row.answer_body,
    error: row.error,
    requestBody: row.body,
  };
}

interface Filter {
  readonly page: number;
  readonly limit: number;
  readonly status?: DeliveryStatus | undefined;
}

const matching = "FROM webhook_delivery d WHERE subscription_id = $1 AND ($2::text IS NULL OR status = $2)";

const count = `SELECT count(*)::int AS total ${matching}`;
const select = `SELECT ${shownColumns} ${matching} ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`;

/** A page of a subscription's deliveries, newest first. Throws NOT_FOUND. */
export async function listDeliveries(actor: Actor, id: string, { page, limit, status }: Filter) {
  await findSubscription(actor, id);
  const values = [id, status ?? null];
  const [{ total } = { total: 0 }] = await query<{ total: number }>("count-deliveries", count, values);
  if ((page - 1) * limit >= total) return { items: [], total };
  const rows = await query<DeliveryRow>("list-deliveries", select, [...values, limit, (page - 1) * limit]);
  return { items: rows.map(showDelivery), total };
}

const find = `SELECT ${shownColumns} FROM webhook_delivery d WHERE id = $1 AND subscription_id = $2`;

/** A delivery of a subscription that the caller may read. Throws NOT_FOUND. */
export async function findDelivery(subscriptionId: string, id: string): Promise<ShownDelivery> {
  if (!isId("delivery", id)) throw notFound("Delivery");
  const [row] = await query<DeliveryRow>("find-delivery", find, [uuidOfId(id), subscriptionId]);
  if (row === undefined) throw notFound("Delivery");
  return showDelivery(row);
}

/** A delivery of one of the workspace's subscriptions. Throws NOT_FOUND. */
export async function readDelivery(actor: Actor, id: string, deliveryId: string): Promise<ShownDelivery> {
  await findSubscription(actor, id);
  return await findDelivery(id, deliveryId);
}

// Leaves a delivery that is being sent to that attempt.
const renew = `
  UPDATE webhook_delivery SET status = 'pending', failures = 0, next_attempt_at = $2::timestamptz, lease_until = NULL
  WHERE id = $1 AND NOT (status = 'pending' AND coalesce(lease_until > $2::timestamptz, false))`;

/** Sends a delivery again at once, under its id. Throws NOT_FOUND, and INVALID_STATUS for an inactive subscription. */
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

const batchMax = 1_000;

const subscriptionIds = `
  WITH RECURSIVE known(id) AS (
    (SELECT subscription_id FROM webhook_delivery ORDER BY subscription_id LIMIT 1)
    UNION ALL
    SELECT (SELECT subscription_id FROM webhook_delivery WHERE subscription_id > k.id ORDER BY subscription_id LIMIT 1)
    FROM known k WHERE k.id IS NOT NULL)
  SELECT k.id, s.active FROM known k LEFT JOIN webhook_subscription s ON s.id = k.id WHERE k.id IS NOT NULL`;

const remove = `
  DELETE FROM webhook_delivery WHERE id IN (
    SELECT id FROM webhook_delivery WHERE subscription_id = $1 AND created_at < $2::timestamptz
      AND ($3::boolean OR status <> 'pending') ORDER BY created_at LIMIT ${batchMax})
  RETURNING id`;

/**
 * Removes deliveries that are older than `keptMs` and not pending, and pending ones of
 * subscriptions that were deleted or disabled while an event was written. Returns the number of deliveries.
 */
export async function sweepDeliveries(now: Date, keptMs: number): Promise<number> {
  let removed = 0;
  const rows = await query<{ id: string; active: boolean | null }>("sweep-subscriptions", subscriptionIds, []);
  for (const { id, active } of rows) {
    const isOrphan = active === null;
    const before = isOrphan ? now : new Date(now.getTime() - keptMs);
    if (active === false) await closeDeliveries(id, now);
    for (let last = batchMax; last === batchMax; removed += last) {
      last = (await query("sweep-deliveries", remove, [id, before, isOrphan])).length;
    }
  }
  return removed;
}
