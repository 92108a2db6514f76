"use client";

import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { type Api, useApi } from "#components/api/use-api.ts";
import { useRemaining } from "#components/deletion/pending-deletion.ts";
import styles from "#components/list/data-table.module.css";
import type { Column } from "#components/list/data-table.tsx";
import { ListPage } from "#components/list/list-page.tsx";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { Link } from "#components/page/link.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { ShownSubscription } from "#lib/contract/webhooks.ts";
import { DeliveryStatusMark, SubscriptionState } from "./delivery-status-mark.tsx";

const SubscriptionForm = lazyPart(async () => ({
  default: (await import("./subscription-form.tsx")).SubscriptionForm,
}));

const columns: readonly Column<ShownSubscription>[] = [
  {
    head: "URL",
    kind: "lead",
    width: 280,
    cell: ({ id, url }) => (
      <Link href={`/webhooks/${id}`} className={styles.rowLink}>
        {url}
      </Link>
    ),
  },
  { head: "Status", width: 80, cell: ({ active }) => <SubscriptionState active={active} /> },
  {
    head: "Events",
    kind: "muted",
    label: "Events",
    width: 160,
    cell: ({ events }) => (events.length > 2 ? `${events.length} events` : events.join(", ")),
  },
  {
    head: "Last delivery",
    label: "Last delivery",
    width: 140,
    cell: ({ lastDelivery }) =>
      lastDelivery === null ? (
        <span className={styles.muted}>none yet</span>
      ) : (
        <span className={styles.withIcon}>
          <DeliveryStatusMark status={lastDelivery.status} statusCode={lastDelivery.statusCode} wasTried />
          <span className={styles.muted}>
            <RelativeTime at={lastDelivery.attemptedAt} />
          </span>
        </span>
      ),
  },
];

/** The webhooks page: subscriptions to the workspace's events. */
export function SubscriptionList() {
  const { read } = useUrlState();
  return (
    <ListPage
      title="Webhooks"
      facts="Send events to other systems when runs start and end."
      query={useRemaining(useQuery(subscriptionQueries.list(useApi(), read("page"), read("search"))))}
      columns={columns}
      search="subscriptions"
      failure="The subscriptions could not be loaded"
      empty={{
        title: "A subscription tells another system what happens here.",
        text: "Enter a URL and choose events, such as execution.failed. Each is sent as signed JSON, retried for two days, and listed here with its response.",
      }}
      make={{
        label: "New subscription",
        scope: "webhooks:write",
        form: (onClose) => <SubscriptionForm onClose={onClose} />,
      }}
    />
  );
}

interface DeliveryListQuery {
  readonly page: string | undefined;
  readonly status: string | undefined;
}

const pollMs = 3_000;

export const subscriptionQueries = {
  list: (api: Api, page: string | undefined, search: string | undefined) =>
    queryOptions({
      queryKey: ["webhooks", "list", page, search],
      queryFn: ({ signal }) => api.callList("listSubscriptions", { query: { page, search }, signal }),
      placeholderData: keepPreviousData,
    }),
  one: (api: Api, id: string) =>
    queryOptions({
      queryKey: ["webhooks", "one", id],
      queryFn: ({ signal }) => api.call("readSubscription", { params: { id }, signal }),
    }),
  deliveries: (api: Api, id: string, query: DeliveryListQuery) =>
    queryOptions({
      queryKey: ["webhooks", "deliveries", id, query],
      queryFn: ({ signal }) => api.callList("listDeliveries", { params: { id }, query: { ...query }, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === "pending") ? pollMs : false),
    }),
  delivery: (api: Api, id: string, deliveryId: string) =>
    queryOptions({
      queryKey: ["webhooks", "delivery", id, deliveryId],
      queryFn: ({ signal }) => api.call("readDelivery", { params: { id, deliveryId }, signal }),
      refetchInterval: ({ state }) => (state.data?.status === "pending" ? pollMs : false),
    }),
};
