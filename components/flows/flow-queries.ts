import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";

export interface FlowListQuery {
  readonly page?: string | undefined;
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly sortBy?: string | undefined;
  readonly order?: string | undefined;
}

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
  nodeTypes: (api: Api) =>
    queryOptions({
      queryKey: ["node-types"],
      queryFn: ({ signal }) => api.call("listNodeTypes", { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
