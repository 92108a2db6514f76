import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";

const pollMs = 10_000;

export const alertQueries = {
  rules: (api: Api) =>
    queryOptions({
      queryKey: ["alerts", "rules"],
      queryFn: ({ signal }) => api.callList("listAlertRules", { query: { limit: 100 }, signal }),
    }),
  alerts: (api: Api, page: string | undefined) =>
    queryOptions({
      queryKey: ["alerts", "list", page],
      queryFn: ({ signal }) => api.callList("listAlerts", { query: { page }, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: pollMs,
    }),
};
