"use client";

import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { ShortId } from "#components/page/short-id.tsx";
import { RelativeTime } from "#components/time/relative-time.tsx";
import { DeliveryList } from "./delivery-list.tsx";
import { SubscriptionActions } from "./subscription-actions.tsx";
import { SubscriptionOff } from "./subscription-off.tsx";
import { subscriptionQueries } from "./subscription-queries.ts";
import { SubscriptionSkeleton } from "./subscription-skeleton.tsx";
import { SubscriptionState } from "./subscription-state.tsx";

/** A subscription with all that was sent to it. */
export function SubscriptionView({ id }: { readonly id: string }) {
  const subscription = useQuery(subscriptionQueries.one(useApi(), id));
  useDocumentTitle(`${subscription.data?.url ?? "Webhook"} · Millrace`);
  if (subscription.data === undefined) {
    if (!subscription.isError) return <SubscriptionSkeleton />;
    return (
      <FailureNotice
        what="The subscription could not be loaded"
        error={subscription.error}
        onRetry={() => void subscription.refetch()}
        list={{ label: "Go to the webhooks", path: "/webhooks" }}
      />
    );
  }
  const { url, active, events, createdAt } = subscription.data;
  return (
    <>
      <PageHeader
        parent={{ label: "Webhooks", path: "/webhooks" }}
        title={url}
        mark={<SubscriptionState active={active} />}
        facts={
          <>
            <span>{events.join(", ")}</span>
            <span>
              Made <RelativeTime at={createdAt} />
            </span>
            <ShortId id={id} what="subscription" />
          </>
        }
        actions={<SubscriptionActions subscription={subscription.data} />}
      />
      {!active && <SubscriptionOff subscription={subscription.data} />}
      <DeliveryList subscription={subscription.data} />
    </>
  );
}
