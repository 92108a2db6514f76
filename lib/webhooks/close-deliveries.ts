import { query } from "#lib/platform/database.ts";

// What is being sent at this moment ends by itself: its result is still worth recording.
const close = `
  UPDATE webhook_delivery SET status = 'failed', error = 'The subscription was switched off'
  WHERE subscription_id = $1 AND status = 'pending' AND (lease_until IS NULL OR lease_until <= $2::timestamptz)`;

/** Gives up what an inactive subscription had still to be sent: switched on again, it is not flooded with the past. */
export async function closeDeliveries(subscriptionId: string, now: Date): Promise<void> {
  await query("close-deliveries", close, [subscriptionId, now]);
}
