import { query } from "#lib/platform/database.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";

const holds = `
  SELECT 1 AS held FROM webhook_delivery d JOIN webhook_subscription s ON s.id = d.subscription_id
  WHERE d.id = $1 AND d.fence = $2 AND d.status = 'pending' AND s.active AND s.url = $3
    AND d.lease_until > now()`;

/** False when the subscription was changed, switched off or deleted since the claim, or the claim was lost. */
export async function holdsClaim({ id, fence, url }: ClaimedDelivery): Promise<boolean> {
  return (await query("holds-claim", holds, [id, fence, url])).length > 0;
}
