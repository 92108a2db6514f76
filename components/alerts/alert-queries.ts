import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import { runsAddress } from "#components/executions/run-queries.ts";
import type { ShownAlert } from "#lib/contract/alerts.ts";

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

/** Where to look into an alert. */
export function alertAddress({ kind, executionId, flowId, at }: ShownAlert): string {
  if (executionId !== null) return `/runs/${executionId}`;
  if (kind === "credential") return "/credentials";
  const flow = flowId ?? undefined;
  return runsAddress(kind === "failure_rate" ? { flow, status: "failed,timeout", to: at } : { flow });
}
