"use client";

import { useChange } from "#components/api/use-change.ts";
import { GuardedButton } from "#components/page/guarded-button.tsx";
import type { ShownSubscription } from "#lib/contract/webhooks.ts";
import styles from "./subscription-view.module.css";

/** Why nothing is sent any more, and the way to have it sent again. */
export function SubscriptionOff({ subscription }: { readonly subscription: ShownSubscription }) {
  const { id } = subscription;
  const switchOn = useChange({
    run: (api) => api.call("updateSubscription", { params: { id }, body: { active: true } }),
    stale: ["webhooks"],
    done: "The subscription is active: events are sent from now on.",
    failed: "The subscription was not switched on.",
  });
  return (
    <section className={styles.off} aria-label="Switched off">
      <p className={styles.why}>
        <strong>Nothing is sent.</strong> {reasonOf(subscription)} What happens meanwhile is not kept for it; deliveries
        that are listed can be sent again once it is active.
      </p>
      <GuardedButton scope="webhooks:write" loading={switchOn.isPending} onClick={() => switchOn.mutate(undefined)}>
        Switch it on
      </GuardedButton>
    </section>
  );
}

function reasonOf({ lastDelivery }: ShownSubscription): string {
  if (lastDelivery?.statusCode === 410) {
    return "The receiver answered 410 Gone, which means that it wants nothing more. Check the address before switching it on.";
  }
  if (lastDelivery !== null && lastDelivery.status !== "delivered") {
    return "The last delivery failed: somebody switched it off, or five days of nothing but failures did. Check the address before switching it on.";
  }
  return "Somebody switched it off.";
}
