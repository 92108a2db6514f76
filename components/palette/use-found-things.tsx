import { IconRoute } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type Api, useApi } from "#components/api/use-api.ts";
import { runStatuses } from "#components/status/run-statuses.ts";
import { useExactTime } from "#components/time/exact-time.ts";
import type { CommandGroup } from "./palette-door.ts";

const flowsMax = 8;
const runsMax = 5;
/** An id of a run, or enough of one to be it: no word of a name looks like this. */
const idOfRun = /^(exec_[0-9a-z]*|(?=[a-z]*\d)[0-9a-z]{6,})$/i;

/** Flows whose name, and runs whose id, holds what was searched for. */
export function useFoundThings(searched: string): CommandGroup[] {
  const api = useApi();
  const router = useRouter();
  const exact = useExactTime();
  const things = useQuery({
    queryKey: ["found", searched],
    queryFn: ({ signal }) => find(api, searched, signal),
    enabled: searched !== "",
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  if (searched === "" || things.data === undefined) return [];
  const { flows, runs } = things.data;
  // The palette filters by what is written on a command: these were found by the server.
  const keywords = [searched];
  return [
    {
      group: "Flows",
      actions: flows.map(({ id, name, status }) => ({
        id,
        label: name,
        description: status,
        keywords,
        leftSection: <IconRoute size={16} aria-hidden="true" />,
        onClick: () => router.push(`/flows/${id}`),
      })),
    },
    {
      group: "Runs",
      actions: runs.map(({ id, flowName, status, startedAt }) => {
        const { icon: Icon, label } = runStatuses[status];
        return {
          id,
          label: `${flowName}: ${label.toLowerCase()}`,
          description: `${id}, ${exact.format(startedAt)}`,
          keywords,
          leftSection: <Icon size={16} aria-hidden="true" />,
          onClick: () => router.push(`/runs/${id}`),
        };
      }),
    },
  ];
}

async function find(api: Api, searched: string, signal: AbortSignal) {
  const [flows, runs] = await Promise.all([
    api.callList("listFlows", { query: { search: searched, limit: flowsMax, sortBy: "name", order: "asc" }, signal }),
    idOfRun.test(searched)
      ? api.callList("listExecutions", { query: { search: searched, limit: runsMax }, signal })
      : { items: [] },
  ]);
  return { flows: flows.items, runs: runs.items };
}
