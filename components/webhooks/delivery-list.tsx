"use client";

import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useApi } from "#components/api/use-api.ts";
import { DataTable, DataTableSkeleton } from "#components/page/data-table.tsx";
import { EmptyNotice } from "#components/page/empty-notice.tsx";
import { FilterBar } from "#components/page/filter-bar.tsx";
import { ListStates } from "#components/page/list-states.tsx";
import { NothingFound } from "#components/page/nothing-found.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import type { ShownSubscription } from "#lib/contract/webhooks.ts";
import { deliveryColumns } from "./delivery-columns.tsx";
import { deliveryStatusOptions } from "./delivery-status-mark.tsx";
import { subscriptionQueries } from "./subscription-queries.ts";

const DeliveryDrawer = lazy(async () => ({ default: (await import("./delivery-drawer.tsx")).DeliveryDrawer }));

/** What was sent to a subscription; one of them opens beside the list, and has an address of its own. */
export function DeliveryList({ subscription }: { readonly subscription: ShownSubscription }) {
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
