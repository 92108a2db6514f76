import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import type { Verdict } from "#lib/contract/flows/backtests.ts";

export const runsOnPage = 50;
const pollMs = 500;

interface BacktestKey {
  readonly flowId: string;
  readonly backtestId: string;
}

export const backtestQueries = {
  /** The progress and a page of runs, of one verdict or all; polled until the backtest ends. */
  one: (api: Api, { flowId, backtestId }: BacktestKey, page: number, verdict: Verdict | null) =>
    queryOptions({
      queryKey: ["backtests", backtestId, page, verdict],
      queryFn: ({ signal }) => {
        const query = { page, limit: runsOnPage, ...(verdict !== null && { verdict }) };
        return api.call("readBacktest", { params: { id: flowId, backtestId }, query, signal });
      },
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data === undefined || state.data.status === "running" ? pollMs : false),
    }),
  /** Both outcomes of one run. */
  run: (api: Api, { flowId, backtestId }: BacktestKey, executionId: string) =>
    queryOptions({
      queryKey: ["backtests", backtestId, "run", executionId],
      queryFn: ({ signal }) => api.call("readBacktestRun", { params: { id: flowId, backtestId, executionId }, signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
