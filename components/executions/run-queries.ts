import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import { isLive } from "#components/status/run-statuses.ts";

const hour = 3_600_000;

/** How far back the list of runs may be asked to look. */
export const periods = [
  { value: "1h", label: "Last hour", ms: hour },
  { value: "24h", label: "Last 24 hours", ms: 24 * hour },
  { value: "7d", label: "Last 7 days", ms: 7 * 24 * hour },
  { value: "30d", label: "Last 30 days", ms: 30 * 24 * hour },
] as const;

export interface RunListQuery {
  readonly page?: string | undefined;
  readonly limit?: number;
  readonly flowId?: string | undefined;
  readonly status?: string | undefined;
  /** One of `periods`; turned into a time when the list is asked for. */
  readonly since?: string | undefined;
}

const [listPollMs, runPollMs] = [2_000, 1_000];

export const runQueries = {
  list: (api: Api, { since, ...query }: RunListQuery) =>
    queryOptions({
      queryKey: ["runs", "list", since, query],
      queryFn: ({ signal }) => {
        const period = periods.find(({ value }) => value === since);
        const startDate = period && new Date(Date.now() - period.ms).toISOString();
        return api.callList("listExecutions", { query: { ...query, startDate }, signal });
      },
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.items.some((run) => isLive(run.status)) ? listPollMs : false),
    }),
  one: (api: Api, id: string) =>
    queryOptions({
      queryKey: ["runs", "one", id],
      queryFn: ({ signal }) =>
        api.call("readExecution", { params: { id }, query: { includeLogs: true, includeNodeOutputs: true }, signal }),
      refetchInterval: ({ state }) => (state.data !== undefined && isLive(state.data.status) ? runPollMs : false),
    }),
};
