"use client";
import { Skeleton, UnstyledButton } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useApi, useChange } from "#components/api/use-api.ts";
import dataTableStyles from "#components/list/data-table.module.css";
import { type Column, DataTable, DataTableSkeleton } from "#components/list/data-table.tsx";
import { EmptyNotice } from "#components/list/empty-notice.tsx";
import { FilterBar } from "#components/list/filter-bar.tsx";
import { ListStates, NothingFound } from "#components/list/list-states.tsx";
import { ShortId, shortenId } from "#components/page/copy-button.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { ShownDelivery, ShownSubscription } from "#lib/contract/webhooks.ts";
import { DeliveryStatusMark, deliveryStatusOptions, SubscriptionState, withoutRun } from "./delivery-status-mark.tsx";
import { SubscriptionActions } from "./subscription-actions.tsx";
import { subscriptionQueries } from "./subscription-list.tsx";
import styles from "./subscription-view.module.css";

const DeliveryDrawer = lazyPart(async () => ({ default: (await import("./delivery-drawer.tsx")).DeliveryDrawer }));

/** A subscription's deliveries; a selected one opens beside the list and has its own URL. */
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
              title="Nothing sent yet."
              text="Events from now on are listed here for 30 days, with their request and response. Send a test to see one."
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

/** A subscription with its deliveries. */
export function SubscriptionView({ id }: { readonly id: string }) {
  const subscription = useQuery(subscriptionQueries.one(useApi(), id));
  useDocumentTitle(`${subscription.data?.url ?? "Webhook"} · Millrace`);
  if (subscription.data === undefined) {
    if (!subscription.isError) return <SubscriptionSkeleton />;
    return (
      <FailureNotice
        title="The subscription could not be loaded"
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
              Created <RelativeTime at={createdAt} />
            </span>
            <ShortId id={id} subject="subscription" />
          </>
        }
        actions={<SubscriptionActions subscription={subscription.data} />}
      />
      {!active && <SubscriptionOff subscription={subscription.data} />}
      <DeliveryList subscription={subscription.data} />
    </>
  );
}

/** A subscription's placeholder while it loads. */
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

/** Why sending has stopped, and a button to resume it. */
function SubscriptionOff({ subscription }: { readonly subscription: ShownSubscription }) {
  const { id } = subscription;
  const switchOn = useChange({
    run: (api) => api.call("updateSubscription", { params: { id }, body: { active: true } }),
    stale: ["webhooks"],
    done: "Subscription enabled.",
    failed: "The subscription was not enabled.",
  });
  return (
    <section className={styles.off} aria-label="Disabled">
      <p className={styles.why}>
        <strong>Nothing is sent.</strong> {reasonOf(subscription)} Events in the meantime are not kept for it. Listed
        deliveries can be sent again once it is enabled.
      </p>
      <GuardedButton scope="webhooks:write" loading={switchOn.isPending} onClick={() => switchOn.mutate(undefined)}>
        Enable
      </GuardedButton>
    </section>
  );
}

function reasonOf({ lastDelivery }: ShownSubscription): string {
  if (lastDelivery?.statusCode === 410) {
    return "The receiver answered 410 Gone: it wants no more events. Check the URL before enabling it.";
  }
  if (lastDelivery !== null && lastDelivery.status !== "delivered") {
    return "The last delivery failed. Someone disabled the subscription, or every delivery failed for five days. Check the URL before enabling it.";
  }
  return "Someone disabled it.";
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
    { head: "Occurred", kind: "muted", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ];
}
