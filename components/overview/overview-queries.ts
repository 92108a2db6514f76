import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import type { ShownOverview } from "#lib/contract/executions/figures.ts";

const [figuresPollMs, runningPollMs] = [15_000, 3_000];
const runningShown = 5;

export const overviewQueries = {
  figures: (api: Api, flowId: string | undefined, { value, ms }: OverviewPeriod) =>
    queryOptions({
      queryKey: ["runs", "overview", flowId, value],
      queryFn: ({ signal }) => {
        const startDate = new Date(Date.now() - ms).toISOString();
        return api.call("readOverview", { query: { flowId, startDate }, signal });
      },
      placeholderData: keepPreviousData,
      refetchInterval: figuresPollMs,
    }),
  running: (api: Api, flowId: string | undefined) =>
    queryOptions({
      queryKey: ["runs", "running", flowId],
      queryFn: ({ signal }) =>
        api.callList("listExecutions", { query: { flowId, status: "running,pending", limit: runningShown }, signal }),
      refetchInterval: runningPollMs,
    }),
  /** Forms that wait for an answer. */
  approvals: (api: Api) =>
    queryOptions({
      queryKey: ["approvals"],
      queryFn: ({ signal }) => api.call("listApprovals", { signal }),
      refetchInterval: figuresPollMs,
    }),
  /** How many flows are live. */
  live: (api: Api) =>
    queryOptions({
      queryKey: ["flows", "live"],
      queryFn: async ({ signal }) => {
        const { pagination } = await api.callList("listFlows", { query: { status: "active", limit: 1 }, signal });
        return pagination.total;
      },
    }),
  /** How many runs failed since a time, and how many of these completed as a retry; no request until it is known. */
  failedSince: (api: Api, flowId: string | undefined, since: string | null) =>
    queryOptions({
      queryKey: ["runs", "failed-since", flowId, since],
      queryFn: async ({ signal }) => {
        const query = { flowId, startDate: since ?? undefined };
        const { current, recovered } = await api.call("readOverview", { query, signal });
        return { count: current.failed + current.timeout, recovered };
      },
      enabled: since !== null,
    }),
};

const hourMs = 3_600_000;

/** The spans to choose from, each compared with the one before. */
export const overviewPeriods = [
  { value: "1h", label: "1 hour", words: "the last hour", ms: hourMs },
  { value: "24h", label: "24 hours", words: "the last 24 hours", ms: 24 * hourMs },
  { value: "7d", label: "7 days", words: "the last 7 days", ms: 7 * 24 * hourMs },
  { value: "30d", label: "30 days", words: "the last 30 days", ms: 30 * 24 * hourMs },
] as const;

type OverviewPeriod = (typeof overviewPeriods)[number];

export function periodOf(value: string | undefined): OverviewPeriod {
  return overviewPeriods.find((period) => period.value === value) ?? overviewPeriods[1];
}

/** What a part of the overview shows, and for which runs. */
export interface OverviewScope {
  readonly figures: ShownOverview;
  /** The selected flow; undefined for all. */
  readonly flow: string | undefined;
  readonly period: OverviewPeriod;
}
