import { recordStatement } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { NewSubscription } from "#lib/contract/webhooks.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import { checkReceiver } from "./check-receiver.ts";
import { showSubscription } from "./show-subscription.ts";
import { newSecret } from "./sign-delivery.ts";
import { sealSecret } from "./subscription-secret.ts";

/** Subscribes to the events that happen from now on; the answer alone tells the secret. Throws VALIDATION_ERROR. */
export async function createSubscription(actor: Actor, given: NewSubscription, outbound: Pick<Outbound, "check">) {
  const { url, events, active } = given;
  await checkReceiver(url, outbound);
  const { workspaceId } = actor;
  const id = newId("subscription");
  const secret = given.secret ?? newSecret();
  const now = timeNow();
  const columns = { id, workspaceId, url, events, active, createdAt: now, updatedAt: now };
  const entry = { action: "webhook.created", id, name: new URL(url).host, after: { events, active } } as const;
  const [row] = await database().$transaction([
    database().webhookSubscription.create({ data: { ...columns, ...sealSecret(secret, workspaceId, id) } }),
    recordStatement(database(), actor, entry),
  ]);
  return { ...showSubscription(row), secret };
}
