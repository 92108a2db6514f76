import { skipToken, type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import { runQueries } from "#components/executions/run-queries.ts";
import { isLive } from "#components/status/run-status.tsx";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { useSession } from "../../state/editor-context.ts";
import { useShownRun } from "../../state/use-run.ts";

const whileLiveMs = 2_000;

/**
 * The run whose data completions and previews use: the displayed one, else the flow's latest, without its nodes' inputs
 * and outputs (`useOutputs`). Loaded only while something that uses it is open.
 */
export function useSampleRun(): ShownExecution | null {
  const { api, editor } = useSession();
  const shown = useShownRun();
  const { data = null } = useQuery({
    queryKey: sampleKey(editor.flowId, shown),
    queryFn: async ({ signal }) => {
      const id = shown?.id ?? (await latestRun(api, editor.flowId, signal));
      if (id === undefined) return null;
      return await api.call("readExecution", { params: { id }, query: {}, signal });
    },
    refetchInterval: shown !== null && isLive(shown.status) ? whileLiveMs : false,
    staleTime: shown === null || isLive(shown.status) ? 30_000 : Number.POSITIVE_INFINITY,
  });
  return data ?? shown;
}

/** The same as far as it is loaded, without loading anything. */
export function useLoadedSampleRun(): ShownExecution | null {
  const { editor } = useSession();
  const shown = useShownRun();
  const { data } = useQuery<ShownExecution | null>({ queryKey: sampleKey(editor.flowId, shown), queryFn: skipToken });
  return data ?? shown;
}

const sampleKey = (flowId: string, shown: ShownExecution | null) => [
  "runs",
  "sample",
  flowId,
  shown?.id,
  shown?.status,
];

async function latestRun(api: Api, flowId: string, signal: AbortSignal): Promise<string | undefined> {
  const { items } = await api.callList("listExecutions", { query: { flowId, limit: 1 }, signal });
  return items[0]?.id;
}

type Known = ReadonlyMap<string, ShownNodeExecution>;
const none: Known = new Map();

/** Inputs and outputs of nodes in a run, as far as loaded. Others stay on the server, because they may be large. */
export function useOutputs(run: ShownExecution | null, nodeIds: Iterable<string>): Known {
  const { api } = useSession();
  const nodesById = new Map((run?.nodes ?? []).map((node) => [node.nodeId, node]));
  const nodes = [...new Set(nodeIds)].flatMap((id) => nodesById.get(id) ?? []);
  return useQueries({
    queries: run === null ? [] : nodes.map((node) => outputQuery(api, run.id, node)),
    combine: byId,
  });
}

/** A node's input and output in a run; reloaded while it is in progress. */
export function outputQuery(api: Api, runId: string, { nodeId, status, completedAt }: ShownNodeExecution) {
  const read = runQueries.node(api, runId, nodeId);
  return {
    ...read,
    queryKey: [...read.queryKey, status, completedAt ?? ""],
    staleTime: isLive(status) ? 0 : Number.POSITIVE_INFINITY,
    retry: false,
  };
}

/** Outside the hook: a new function per render would produce new results, too. */
function byId(results: readonly UseQueryResult<ShownNodeExecution>[]): Known {
  const read = results.flatMap(({ data }) => data ?? []);
  return read.length === 0 ? none : new Map(read.map((node) => [node.nodeId, node]));
}
