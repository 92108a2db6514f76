import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import { isLive } from "#components/status/run-status.tsx";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import { listQuery, type RunFilter } from "./list/run-filter.ts";

interface RunListQuery extends RunFilter {
  readonly page?: string | undefined;
  readonly limit?: number;
  /** The sort field and direction, such as `duration-desc`. */
  readonly sort?: string | undefined;
}

/** Which iterations of a loop to list. `within`: the outer loop's iteration, for a nested one. */
export interface IterationQuery {
  readonly runId: string;
  readonly nodeId: string;
  readonly within?: string | undefined;
  readonly page: number;
  readonly failedOnly: boolean;
}

export const iterationsOnPage = 20;

const [livePollMs, quietPollMs] = [2_000, 10_000];
/** Timelines with more changes are large, so they are polled less often. */
const changesOftenMax = 1_000;

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
  /** Without inputs and outputs, which may be large and are requested per node. */
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
  /** Every state change so far; polled while the run is in progress. */
  timeline: (api: Api, id: string, live: boolean) =>
    queryOptions({
      queryKey: ["runs", "timeline", id, live],
      queryFn: ({ signal }) => api.call("readTimeline", { params: { id }, signal }),
      placeholderData: (before, query) => (query?.queryKey[2] === id ? before : undefined),
      staleTime: live ? 0 : Number.POSITIVE_INFINITY,
      refetchInterval: ({ state }) => live && ((state.data?.length ?? 0) > changesOftenMax ? quietPollMs : livePollMs),
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
  retryPlan: (api: Api, id: string, fromNode: string | null, idempotency: "same" | "new") =>
    queryOptions({
      queryKey: ["runs", "retry-plan", id, fromNode, idempotency],
      queryFn: ({ signal }) => {
        const query = { fromNode: fromNode ?? undefined, idempotency };
        return api.call("readRetryPlan", { params: { id }, query, signal });
      },
      placeholderData: keepPreviousData,
    }),
};

/** The version of its flow that a run used; of a working copy that was run, its revision. */
export function versionThatRan({ flowVersion, draftRevision }: Pick<ShownExecution, "flowVersion" | "draftRevision">) {
  return draftRevision === undefined ? flowVersion : (`draft-${draftRevision}` as const);
}

/** Which runs a figure counts, in terms of the runs page's URL. */
interface RunsWish {
  readonly flow?: string | undefined;
  readonly status?: string;
  readonly since?: string;
  readonly from?: string;
  readonly to?: string;
  readonly search?: string;
  readonly min?: number | null;
  readonly sort?: string;
}

/** The URL of the list of these runs. */
export function runsAddress(filter: RunsWish): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  return `/runs?${query}`;
}
