import type { DeliveryStatus } from "#lib/contract/webhooks.ts";
import { query } from "#lib/platform/database.ts";
import { metrics } from "#lib/platform/metrics.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";
import type { Attempt } from "./send-delivery.ts";

// Excludes deliveries in flight: their results are still worth recording.
const close = `
  UPDATE webhook_delivery SET status = 'failed', error = 'The subscription was switched off'
  WHERE subscription_id = $1 AND status = 'pending' AND (lease_until IS NULL OR lease_until <= $2::timestamptz)`;

/** Fails an inactive subscription's pending deliveries, so that it is not flooded when enabled again. */
export async function closeDeliveries(subscriptionId: string, now: Date): Promise<void> {
  await query("close-deliveries", close, [subscriptionId, now]);
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Before each retry, counted from the failed attempt. */
export const retryDelaysMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour] as const;

/** The longest delay that a receiver may request. */
const requestedMsMax = 14 * hour;

/** A subscription whose every attempt failed for this long is disabled. */
const failingMsMax = 5 * 24 * hour;

/**
 * When to retry after failure number `failures` (from 1); null after the last attempt. Honours a longer `Retry-After`.
 */
export function nextAttemptAt(failures: number, now: Date, requestedMs = 0): Date | null {
  const delayMs = retryDelaysMs[failures - 1];
  return delayMs === undefined
    ? null
    : new Date(now.getTime() + Math.max(delayMs, Math.min(requestedMs, requestedMsMax)));
}

const batchMax = 1_000;

const retry = `
  UPDATE webhook_delivery SET next_attempt_at = least(next_attempt_at, $2::timestamptz), failures = 0
  WHERE id = ANY(ARRAY(
    SELECT id FROM webhook_delivery
    WHERE subscription_id = $1 AND status = 'pending' AND (next_attempt_at > $2::timestamptz OR failures > 0)
    ORDER BY next_attempt_at DESC LIMIT ${batchMax} FOR UPDATE SKIP LOCKED))
  RETURNING id`;

/** Makes a subscription's pending deliveries due at once, with all their retries, because it has a new URL. */
export async function retryDeliveries(subscriptionId: string, now: Date): Promise<void> {
  while ((await query("retry-deliveries", retry, [subscriptionId, now])).length === batchMax);
}

const released = `lease_until = NULL, status = CASE WHEN s.active THEN d.status ELSE 'failed' END,
    error = CASE WHEN s.active THEN d.error ELSE 'The subscription was switched off' END`;

// If two processes both made an attempt, the later claim's result counts. The run's later event becomes due together
// with the one it waits for. A failure at a URL that the subscription no longer has (`moved`) does not count: the delivery
// is due at the new one.
const settle = `
  WITH settled AS (
    UPDATE webhook_delivery d SET
      status = CASE WHEN $3::text = 'pending' AND NOT s.active THEN 'failed' ELSE $3::text END, failures = $4::int,
      attempts = d.attempts + 1,      next_attempt_at = $5::timestamptz, lease_until = NULL, last_attempt_at = $6::timestamptz,
      answer_status = $7::int, answer_body = $8::text, error = $9::text
    FROM webhook_subscription s
    WHERE d.id = $1::uuid AND d.fence = $2::int AND (d.status = 'pending' OR $12::boolean) AND s.id = d.subscription_id
      AND ($3::text = 'delivered' OR $12::boolean OR s.url = $13::text)
    RETURNING d.subscription_id, d.execution_id, d.sequence, d.status),
  moved AS (
    UPDATE webhook_delivery d SET failures = 0, attempts = d.attempts + 1, last_attempt_at = $6::timestamptz, ${released}
    FROM webhook_subscription s
    WHERE d.id = $1::uuid AND d.fence = $2::int AND d.status = 'pending' AND s.id = d.subscription_id
      AND $3::text <> 'delivered' AND NOT $12::boolean AND s.url <> $13::text),
  later AS (
    UPDATE webhook_delivery l SET next_attempt_at = $5::timestamptz FROM settled b
    WHERE l.execution_id = b.execution_id AND l.subscription_id = b.subscription_id AND l.sequence > b.sequence
      AND l.status = 'pending' AND l.failures = 0 AND l.lease_until IS NULL)
  UPDATE webhook_subscription s SET
    failing_since = CASE WHEN $3::text = 'delivered' THEN NULL WHEN $12::boolean THEN s.failing_since
      ELSE coalesce(s.failing_since, $6::timestamptz) END,
    active = s.active AND NOT ($10::boolean OR ($3::text <> 'delivered' AND NOT $12::boolean
      AND coalesce(s.failing_since <= $11::timestamptz, false)))
  FROM settled b
  WHERE s.id = b.subscription_id
    AND ($10::boolean OR (s.failing_since IS NULL) <> ($3::text = 'delivered') OR s.failing_since <= $11::timestamptz)
  RETURNING s.active`;

const release = `
  UPDATE webhook_delivery d SET ${released}
  FROM webhook_subscription s
  WHERE d.id = $1 AND d.fence = $2 AND d.status = 'pending' AND s.id = d.subscription_id`;

/** Releases a delivery that this process does not attempt: it is due as before. */
export async function releaseDelivery({ id, fence }: Pick<ClaimedDelivery, "id" | "fence">): Promise<void> {
  await query("release-delivery", release, [id, fence]);
}

/**
 * Records an attempt's result and when the next one is due. A 410, or five days of nothing but failures, disables the
 * subscription. A test event is not retried, and its failure does not count.
 */
export async function settleDelivery(
  delivery: Pick<ClaimedDelivery, "id" | "subscriptionId" | "fence" | "failures">,
  attempt: Attempt,
  now: Date,
  isTest = false,
): Promise<void> {
  const { id, subscriptionId, fence } = delivery;
  if (attempt.aborted) {
    await releaseDelivery(delivery);
    return;
  }
  const isGone = attempt.status === 410;
  const failures = attempt.error === null ? 0 : delivery.failures + 1;
  const next = failures === 0 || isGone || isTest ? null : nextAttemptAt(failures, now, attempt.retryAfterMs);
  const status: DeliveryStatus = attempt.error === null ? "delivered" : next === null ? "failed" : "pending";
  metrics().deliveryAttempts.inc({ result: status === "pending" ? "retried" : status });
  const error = isGone ? `${attempt.error}: the subscription was switched off` : attempt.error;
  const failingLimit = new Date(now.getTime() - failingMsMax);
  const values = [id, fence, status, failures, next ?? now, attempt.sentAt, attempt.status, attempt.answer, error];
  const subscription = [isGone, failingLimit, isTest, attempt.url];
  const [row] = await query<{ active: boolean }>("settle-delivery", settle, [...values, ...subscription]);
  if (row?.active === false) await closeDeliveries(subscriptionId, now);
}
