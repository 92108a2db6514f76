import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { ShownSubscription, SubscriptionChanges } from "#lib/contract/webhooks.ts";
import { notFound } from "#lib/errors.ts";
import { nowMs, timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import { closeDeliveries } from "./settle-delivery.ts";
import { sealSecret } from "./sign-delivery.ts";
import { checkReceiver, findSubscription, readSubscription } from "./subscriptions.ts";

/**
 * Changes the given fields. An enabled subscription has five new days before failures disable it; disabling one gives
 * up its pending deliveries. Throws NOT_FOUND, VALIDATION_ERROR.
 */
export async function updateSubscription(
  actor: Actor,
  id: string,
  { url, events, secret, active }: SubscriptionChanges,
  outbound: Pick<Outbound, "check">,
): Promise<ShownSubscription> {
  const before = await findSubscription(actor, id);
  if (url !== undefined) await checkReceiver(url, outbound);
  const data = {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events }),
    ...(secret === undefined ? {} : sealSecret(secret, actor.workspaceId, id)),
    ...(active === undefined ? {} : { active }),
    ...(active === true ? { failingSince: null } : {}),
    updatedAt: new Date(Math.max(nowMs(), before.updatedAt.getTime() + 1)),
  };
  await database().$transaction(async (tx) => {
    const where = { id, workspaceId: actor.workspaceId };
    const [row] = await tx.webhookSubscription.updateManyAndReturn({ where, data });
    if (row === undefined) throw notFound("Webhook subscription");
    const parts = { before: told(before), after: { ...told(row), newSecret: secret !== undefined } };
    await recordChange(tx, actor, { action: "webhook.updated", id, name: new URL(row.url).host, ...parts });
  });
  if (active === false) await closeDeliveries(id, timeNow());
  return await readSubscription(actor, id);
}

/** A subscription in the audit log: a path may be a capability, so only the URL's host. */
function told({ url, events, active }: { readonly url: string; readonly events: string[]; readonly active: boolean }) {
  return { host: new URL(url).host, events, active };
}
