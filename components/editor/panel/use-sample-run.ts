import { useQuery } from "@tanstack/react-query";
import type { ShownExecution } from "#lib/contract/executions.ts";
import { useSession } from "../state/editor-context.ts";
import { useShownRun } from "../state/use-run.ts";

/** The run whose data completions and previews use: the one that is shown, else the flow's latest. */
export function useSampleRun(): ShownExecution | null {
  const { api, editor } = useSession();
  const shown = useShownRun();
  const { data = null } = useQuery({
    queryKey: ["runs", "latest", editor.flowId],
    queryFn: async ({ signal }) => {
      const { items } = await api.callList("listExecutions", { query: { flowId: editor.flowId, limit: 1 }, signal });
      const id = items[0]?.id;
      if (id === undefined) return null;
      return await api.call("readExecution", { params: { id }, query: { includeNodeOutputs: true }, signal });
    },
    enabled: shown === null,
    staleTime: 30_000,
  });
  return shown ?? data;
}
