import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";

export interface FlowListQuery {
  readonly page?: string | undefined;
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly tag?: string | undefined;
  readonly sortBy?: string | undefined;
  readonly order?: string | undefined;
}

const recentPollMs = 10_000;

export const flowQueries = {
  list: (api: Api, query: FlowListQuery) =>
    queryOptions({
      queryKey: ["flows", "list", query],
      queryFn: ({ signal }) => api.callList("listFlows", { query: { ...query }, signal }),
      placeholderData: keepPreviousData,
    }),
  /** For choosing a flow by its name. */
  names: (api: Api) =>
    queryOptions({
      queryKey: ["flows", "names"],
      queryFn: ({ signal }) =>
        api.callList("listFlows", { query: { limit: 100, sortBy: "name", order: "asc" }, signal }),
      staleTime: 60_000,
    }),
  /** How each of these flows went lately. */
  recentRuns: (api: Api, flowIds: readonly string[]) =>
    queryOptions({
      queryKey: ["runs", "recent", flowIds],
      queryFn: ({ signal }) => api.call("readRecent", { query: { flowIds: flowIds.join(",") }, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: recentPollMs,
    }),
  nodeTypes: (api: Api) =>
    queryOptions({
      queryKey: ["node-types"],
      queryFn: ({ signal }) => api.call("listNodeTypes", { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
