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

const [livePollMs, quietPollMs, runPollMs] = [2_000, 10_000, 1_000];

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
  one: (api: Api, id: string) =>
    queryOptions({
      queryKey: ["runs", "one", id],
      queryFn: ({ signal }) =>
        api.call("readExecution", { params: { id }, query: { includeLogs: true, includeNodeOutputs: true }, signal }),
      refetchInterval: ({ state }) => (state.data !== undefined && isLive(state.data.status) ? runPollMs : false),
    }),
};
