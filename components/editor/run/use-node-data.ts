import { useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import { runQueries } from "#components/executions/run-queries.ts";
import { useSession } from "../state/editor-context.ts";

/** A node's input and output in the displayed run: read on demand, and again as the node progresses. */
export function useNodeData(nodeId: string) {
  const { api, runs } = useSession();
  const runId = useStore(runs.store, (state) => state.run?.id);
  const node = useStore(runs.store, (state) => state.nodes.get(nodeId));
  const read = runQueries.node(api, runId ?? "", nodeId);
  return useQuery({
    ...read,
    queryKey: [...read.queryKey, node?.status ?? "", node?.completedAt ?? ""],
    enabled: runId !== undefined && node !== undefined,
  });
}
