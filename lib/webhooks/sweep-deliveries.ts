import { query } from "#lib/platform/database.ts";
import { closeDeliveries } from "./settle-delivery.ts";

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
 * Removes what is older than `keptMs` and not pending, and what events left behind at the moment their subscription was
 * deleted or disabled. Returns the number of deliveries.
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
