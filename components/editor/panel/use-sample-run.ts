import { useQuery } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import { isLive } from "#components/status/run-status.tsx";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import { useSession } from "../state/editor-context.ts";
import { useShownRun } from "../state/use-run.ts";

const whileLiveMs = 2_000;

/**
 * The run whose data completions and previews use: the displayed one, else the flow's latest. Read only while something
 * that uses it is open.
 */
export function useSampleRun(): ShownExecution | null {
  const { api, editor } = useSession();
  const shown = useShownRun();
  const { data = null } = useQuery({
    queryKey: ["runs", "sample", editor.flowId, shown?.id, shown?.status],
    queryFn: async ({ signal }) => {
      const id = shown?.id ?? (await latestRun(api, editor.flowId, signal));
      if (id === undefined) return null;
      return await api.call("readExecution", { params: { id }, query: { includeNodeOutputs: true }, signal });
    },
    refetchInterval: shown !== null && isLive(shown.status) ? whileLiveMs : false,
    staleTime: shown === null || isLive(shown.status) ? 30_000 : Number.POSITIVE_INFINITY,
  });
  return data ?? shown;
}

async function latestRun(api: Api, flowId: string, signal: AbortSignal): Promise<string | undefined> {
  const { items } = await api.callList("listExecutions", { query: { flowId, limit: 1 }, signal });
  return items[0]?.id;
}
