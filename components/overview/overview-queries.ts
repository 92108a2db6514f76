import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import type { OverviewPeriod } from "./overview-periods.ts";

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
};
