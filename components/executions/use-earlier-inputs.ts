import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { runStatuses } from "#components/status/run-statuses.ts";
import { useExactTime } from "#components/time/exact-time.ts";
import type { RunInput } from "./run-input.ts";
import { runQueries } from "./run-queries.ts";

const shown = 10;

/** What the latest runs of a flow began with, the newest first. */
export function useEarlierInputs(flowId: string): RunInput[] {
  const runs = useQuery(runQueries.list(useApi(), { flow: flowId, limit: shown })).data?.items ?? [];
  const { format } = useExactTime();
  return runs.map(({ id, startedAt, status, trigger: { data } }) => ({
    id,
    label: `Run of ${format(startedAt)} · ${runStatuses[status].label.toLowerCase()}`,
    data,
  }));
}
