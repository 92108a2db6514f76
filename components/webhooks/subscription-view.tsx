"use client";
import { Skeleton, UnstyledButton } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useApi, useChange } from "#components/api/use-api.ts";
import dataTableStyles from "#components/list/data-table.module.css";
import { type Column, DataTable, DataTableSkeleton } from "#components/list/data-table.tsx";
import { EmptyNotice } from "#components/list/empty-notice.tsx";
import { FilterBar } from "#components/list/filter-bar.tsx";
import { ListStates, NothingFound } from "#components/list/list-states.tsx";
import { ShortId, shortenId } from "#components/page/copy-button.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { ShownDelivery, ShownSubscription } from "#lib/contract/webhooks.ts";
import { DeliveryStatusMark, deliveryStatusOptions, SubscriptionState, withoutRun } from "./delivery-status-mark.tsx";
import { SubscriptionActions } from "./subscription-actions.tsx";
import { subscriptionQueries } from "./subscription-queries.ts";
import styles from "./subscription-view.module.css";

const DeliveryDrawer = lazy(async () => ({ default: (await import("./delivery-drawer.tsx")).DeliveryDrawer }));

/** What was sent to a subscription; one of them opens beside the list, and has an address of its own. */
function DeliveryList({ subscription }: { readonly subscription: ShownSubscription }) {
  const { read, change } = useUrlState();
  const [page, status, opened] = [read("page"), read("status"), read("delivery")];
  const open = (delivery: string) => change({ delivery, page: page ?? null });
  const deliveries = useQuery(subscriptionQueries.deliveries(useApi(), subscription.id, { page, status }));
  return (
    <>
      <FilterBar
        filters={[
          { name: "status", label: "Status", any: "Any status", options: deliveryStatusOptions, value: status },
        ]}
        onChange={change}
      />
      <ListStates
        query={deliveries}
        failure="The deliveries could not be loaded"
        skeleton={<DataTableSkeleton columns={deliveryColumns(open)} />}
        empty={
          status === undefined ? (
            <EmptyNotice
              title="Nothing was sent yet."
              text="Each event that happens from now on is listed here for 30 days, with what was sent and what was answered. Send a test to see one."
            />
          ) : (
            <NothingFound what="No delivery has this status." onClear={() => change({ status: null })} />
          )
        }
      >
        {(items) => <DataTable columns={deliveryColumns(open)} rows={items} keyOf={({ id }) => id} />}
      </ListStates>
      <Suspense>
        <DeliveryDrawer
          subscription={subscription}
          id={opened ?? null}
          onClose={() => change({ delivery: null, page: page ?? null }, true)}
        />
      </Suspense>
    </>
  );
}

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

/** A subscription while it loads, in its own shape. */
function SubscriptionSkeleton() {
  return (
    <div aria-busy="true">
      <div className={styles.head}>
        <Skeleton height={12} width={64} />
        <Skeleton height={20} width={360} />
        <Skeleton height={12} width={280} />
      </div>
      <DataTableSkeleton columns={deliveryColumns(() => undefined)} />
    </div>
  );
}

/** Why nothing is sent any more, and the way to have it sent again. */
function SubscriptionOff({ subscription }: { readonly subscription: ShownSubscription }) {
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

function deliveryColumns(onOpen: (id: string) => void): readonly Column<ShownDelivery>[] {
  return [
    {
      head: "Event",
      kind: "lead",
      width: 160,
      cell: ({ id, event }) => (
        <UnstyledButton className={dataTableStyles.rowLink} fz="inherit" onClick={() => onOpen(id)}>
          {event}
        </UnstyledButton>
      ),
    },
    {
      head: "Status",
      width: 110,
      cell: ({ status, statusCode, attempts }) => (
        <DeliveryStatusMark status={status} statusCode={statusCode} wasTried={attempts > 0} />
      ),
    },
    {
      head: "Run",
      kind: "muted",
      width: 120,
      cell: ({ executionId, event }) =>
        executionId === null ? withoutRun(event) : <span className="mono">{shortenId(executionId)}</span>,
    },
    { head: "Attempts", kind: "number", label: "Attempts", width: 24, cell: ({ attempts }) => attempts },
    {
      head: "Next attempt",
      kind: "muted",
      label: "Next attempt",
      cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? "–" : <RelativeTime at={nextAttemptAt} />),
    },
    { head: "Happened", kind: "muted", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ];
}
