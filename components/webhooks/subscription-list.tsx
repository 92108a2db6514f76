"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { lazy } from "react";
import { useApi } from "#components/api/use-api.ts";
import { useRemaining } from "#components/deletion/pending-deletion.ts";
import styles from "#components/list/data-table.module.css";
import type { Column } from "#components/list/data-table.tsx";
import { ListPage } from "#components/list/list-page.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { ShownSubscription } from "#lib/contract/webhooks.ts";
import { DeliveryStatusMark, SubscriptionState } from "./delivery-status-mark.tsx";
import { subscriptionQueries } from "./subscription-queries.ts";

const SubscriptionForm = lazy(async () => ({ default: (await import("./subscription-form.tsx")).SubscriptionForm }));

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
  { head: "State", width: 80, cell: ({ active }) => <SubscriptionState active={active} /> },
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

/** The page of subscriptions to the workspace's events. */
export function SubscriptionList() {
  const page = useUrlState().read("page");
  return (
    <ListPage
      title="Webhooks"
      facts="Send events to other systems when runs start and end."
      query={useRemaining(useQuery(subscriptionQueries.list(useApi(), page)))}
      columns={columns}
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
