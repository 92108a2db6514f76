"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import styles from "#components/page/data-table.module.css";
import { type Column, DataTable, DataTableSkeleton } from "#components/page/data-table.tsx";
import { EmptyNotice } from "#components/page/empty-notice.tsx";
import { GuardedButton } from "#components/page/guarded-button.tsx";
import { ListStates } from "#components/page/list-states.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { ShownSubscription } from "#lib/contract/webhooks.ts";
import { DeliveryStatusMark } from "./delivery-status-mark.tsx";
import { SubscriptionForm } from "./subscription-form.tsx";
import { subscriptionQueries } from "./subscription-queries.ts";
import { SubscriptionState } from "./subscription-state.tsx";

const columns: readonly Column<ShownSubscription>[] = [
  {
    head: "Address",
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

/** The page of who is told of the workspace's events. */
export function SubscriptionList() {
  const { read } = useUrlState();
  const [making, setMaking] = useState(false);
  const subscriptions = useQuery(subscriptionQueries.list(useApi(), read("page")));
  const make = (
    <GuardedButton scope="webhooks:write" onClick={() => setMaking(true)}>
      New subscription
    </GuardedButton>
  );
  const isEmpty = subscriptions.data?.pagination.total === 0;
  return (
    <>
      <PageHeader
        title="Webhooks"
        facts="Addresses that are told when runs start and end."
        actions={!isEmpty && make}
      />
      <ListStates
        query={subscriptions}
        failure="The subscriptions could not be loaded"
        skeleton={<DataTableSkeleton columns={columns} />}
        empty={
          <EmptyNotice
            title="A subscription tells another system what happens here."
            text="Give an address and choose events, such as execution.failed. Each is sent as signed JSON, tried again for two days, and kept here with its answer."
          >
            {make}
          </EmptyNotice>
        }
      >
        {(items) => <DataTable columns={columns} rows={items} keyOf={({ id }) => id} />}
      </ListStates>
      {making && <SubscriptionForm onClose={() => setMaking(false)} />}
    </>
  );
}
