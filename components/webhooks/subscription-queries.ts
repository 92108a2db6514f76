import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";

interface DeliveryListQuery {
  readonly page: string | undefined;
  readonly status: string | undefined;
}

const pollMs = 3_000;

export const subscriptionQueries = {
  list: (api: Api, page: string | undefined) =>
    queryOptions({
      queryKey: ["webhooks", "list", page],
      queryFn: ({ signal }) => api.callList("listSubscriptions", { query: { page }, signal }),
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
