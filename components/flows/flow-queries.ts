import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { type Api, useApi } from "#components/api/use-api.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";

export interface FlowListQuery {
  readonly page?: string | undefined;
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly tag?: string | undefined;
  /** Only the user's favorites. */
  readonly isStarred?: boolean;
  readonly sortBy?: string | undefined;
  readonly order?: string | undefined;
}

/** Beyond this, the user must narrow the search. */
const matchesMax = 50;
const recentPollMs = 10_000;

const orderOf = (search: string) =>
  search === "" ? ({ sortBy: "name", order: "asc" } as const) : ({ sortBy: "relevance" } as const);

export const flowQueries = {
  list: (api: Api, { isStarred = false, ...query }: FlowListQuery) =>
    queryOptions({
      queryKey: ["flows", "list", query, isStarred],
      queryFn: ({ signal }) =>
        api.callList("listFlows", { query: { ...query, ...(isStarred && { favorite: "true" }) }, signal }),
      placeholderData: keepPreviousData,
    }),
  /** Flows to choose from: search matches, best first; without a search, sorted by name. */
  matching: (api: Api, search: string) =>
    queryOptions({
      queryKey: ["flows", "matching", search],
      queryFn: ({ signal }) =>
        api.callList("listFlows", { query: { search, limit: matchesMax, ...orderOf(search) }, signal }),
      placeholderData: keepPreviousData,
      staleTime: 60_000,
    }),
  /** A flow's name, by id. */
  name: (api: Api, id: string) =>
    queryOptions({
      queryKey: ["flows", "name", id],
      queryFn: async ({ signal }) => (await api.call("readFlow", { params: { id }, signal })).name,
      enabled: id !== "",
      staleTime: 60_000,
    }),
  /** A flow's nodes; fails for one that was deleted. */
  nodes: (api: Api, id: string) =>
    queryOptions({
      queryKey: ["flows", "nodes", id],
      queryFn: async ({ signal }) => ({ nodes: (await api.call("readFlow", { params: { id }, signal })).nodes }),
      enabled: id !== "",
      retry: false,
      staleTime: 60_000,
    }),
  /** Fails for a flow that was deleted. */
  isThere: (api: Api, id: string) =>
    queryOptions({
      queryKey: ["flows", "is-there", id],
      queryFn: async ({ signal }) => (await api.call("readFlow", { params: { id }, signal })).id,
      staleTime: 60_000,
    }),
  tags: (api: Api) =>
    queryOptions({
      queryKey: ["flows", "tags"],
      queryFn: ({ signal }) => api.call("listFlowTags", { signal }),
      staleTime: 60_000,
    }),
  /** These flows' latest runs. */
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

/** A node type by name; undefined until it is loaded, and for an unknown type. */
export function useNodeType(type: string | undefined): NodeType | undefined {
  return useQuery(flowQueries.nodeTypes(useApi())).data?.find((candidate) => candidate.type === type);
}
