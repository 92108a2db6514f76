import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import { isLive } from "#components/status/run-statuses.ts";
import { listQuery, type RunFilter } from "./list/run-filter.ts";

export interface RunListQuery extends RunFilter {
  readonly page?: string | undefined;
  readonly limit?: number;
  /** `duration-desc`: what it is sorted by, and which way. */
  readonly sort?: string | undefined;
}

/** Which turns of a loop are wanted. `within`: of a loop in a loop, the turn around them. */
export interface IterationQuery {
  readonly runId: string;
  readonly nodeId: string;
  readonly within?: string | undefined;
  readonly page: number;
  readonly failedOnly: boolean;
}

export const iterationsOnPage = 20;

const [livePollMs, quietPollMs] = [2_000, 10_000];

export const runQueries = {
  list: (api: Api, { page, limit, sort, ...filter }: RunListQuery) =>
    queryOptions({
      queryKey: ["runs", "list", page, limit, sort, filter],
      queryFn: ({ signal }) => {
        const [sortBy, order] = sort?.split("-") ?? [];
        const query = { ...listQuery(filter, Date.now()), page, limit, sortBy, order };
        return api.callList("listExecutions", { query, signal });
      },
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) =>
        state.data?.items.some((run) => isLive(run.status)) ? livePollMs : page === undefined ? quietPollMs : false,
    }),
  /** Without what its nodes were given and made: that may be a lot, and is asked for node by node. */
  one: (api: Api, id: string) =>
    queryOptions({
      queryKey: ["runs", "one", id],
      queryFn: ({ signal }) => api.call("readExecution", { params: { id }, query: { includeLogs: true }, signal }),
    }),
  node: (api: Api, id: string, nodeId: string) =>
    queryOptions({
      queryKey: ["runs", "node", id, nodeId],
      queryFn: ({ signal }) => api.call("readNodeExecution", { params: { id, nodeId }, signal }),
    }),
  iterations: (api: Api, { runId, nodeId, within, page, failedOnly }: IterationQuery, live: boolean) =>
    queryOptions({
      queryKey: ["runs", "iterations", runId, nodeId, within, page, failedOnly, live],
      queryFn: ({ signal }) => {
        const query = { page, limit: iterationsOnPage, within, status: failedOnly ? ("failed" as const) : undefined };
        return api.callList("listIterations", { params: { id: runId, nodeId }, query, signal });
      },
      placeholderData: keepPreviousData,
      refetchInterval: live ? livePollMs : false,
    }),
  iteration: (
    api: Api,
    params: Pick<IterationQuery, "runId" | "nodeId"> & { readonly iteration: string },
    live: boolean,
  ) =>
    queryOptions({
      queryKey: ["runs", "iteration", params, live],
      queryFn: ({ signal }) => {
        const { runId: id, nodeId, iteration } = params;
        return api.call("readIteration", { params: { id, nodeId, iteration }, signal });
      },
      refetchInterval: live ? livePollMs : false,
    }),
  retryPlan: (api: Api, id: string, fromNode: string | null) =>
    queryOptions({
      queryKey: ["runs", "retry-plan", id, fromNode],
      queryFn: ({ signal }) =>
        api.call("readRetryPlan", { params: { id }, query: { fromNode: fromNode ?? undefined }, signal }),
    }),
};
