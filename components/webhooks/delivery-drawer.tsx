"use client";

import { Drawer, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import type { ShownSubscription } from "#lib/contract/webhooks.ts";
import { DeliveryDetails } from "./delivery-details.tsx";
import { subscriptionQueries } from "./subscription-queries.ts";

interface DeliveryDrawerProps {
  readonly subscription: ShownSubscription;
  readonly id: string | null;
  readonly onClose: () => void;
}

export function DeliveryDrawer({ subscription, id, onClose }: DeliveryDrawerProps) {
  return (
    <Drawer opened={id !== null} onClose={onClose} position="right" size={520} title="Delivery">
      {id !== null && <Loaded subscription={subscription} id={id} />}
    </Drawer>
  );
}

function Loaded({ subscription, id }: { readonly subscription: ShownSubscription; readonly id: string }) {
  const delivery = useQuery(subscriptionQueries.delivery(useApi(), subscription.id, id));
  if (delivery.data !== undefined) return <DeliveryDetails subscription={subscription} delivery={delivery.data} />;
  if (delivery.isError) {
    return (
      <FailureNotice
        what="The delivery could not be loaded"
        error={delivery.error}
        onRetry={() => void delivery.refetch()}
      />
    );
  }
  return (
    <Stack gap="sm" aria-busy="true">
      <Skeleton height={20} width={160} />
      <Skeleton height={90} />
      <Skeleton height={200} />
    </Stack>
  );
}
