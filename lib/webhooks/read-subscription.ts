import type { Actor } from "#lib/auth/actor.ts";
import type { ShownSubscription } from "#lib/contract/webhooks.ts";
import { notFound } from "#lib/errors.ts";
import { findSubscription } from "./find-subscription.ts";
import { showSubscriptions } from "./show-subscription.ts";

/** Throws NOT_FOUND. */
export async function readSubscription(actor: Actor, id: string): Promise<ShownSubscription> {
  const [shown] = await showSubscriptions([await findSubscription(actor, id)]);
  if (shown === undefined) throw notFound("Webhook subscription");
  return shown;
}
