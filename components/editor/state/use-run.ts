import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import { runQueries } from "#components/executions/run-queries.ts";
import type { Reason, ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { useSession } from "./editor-context.ts";
import { nodesOnCanvas } from "./run-watch.ts";

/** A node at the displayed run's shown moment; when it changes, only its own card is rendered. */
export function useRunOf(nodeId: string): ShownNodeExecution | undefined {
  return useStore(useSession().runs.store, (state) => nodesOnCanvas(state).get(nodeId));
}

/** The run displayed on the canvas. */
export function useShownRun(): ShownExecution | null {
  return useStore(useSession().runs.store, (state) => state.run);
}

/** Everything that the displayed run's nodes did. */
export function useRunNodes(): ReadonlyMap<string, ShownNodeExecution> {
  return useStore(useSession().runs.store, (state) => state.nodes);
}

/** Only the flow's own nodes have `why`, not those of a loop's item. */
interface NodeData extends ShownNodeExecution {
  readonly why?: readonly Reason[] | undefined;
}

/**
 * A node's input and output in the displayed run, in a loop's body for the shown item. Loaded on demand, and reloaded as the
 * node progresses.
 */
export function useNodeData(nodeId: string): UseQueryResult<NodeData> {
  const { api, runs } = useSession();
  const runId = useStore(runs.store, (state) => state.run?.id);
  const node = useStore(runs.store, (state) => nodesOnCanvas(state).get(nodeId));
  const item = useStore(runs.store, (state) => state.item);
  const read = runQueries.node(api, runId ?? "", nodeId);
  const progress = [node?.status ?? "", node?.completedAt ?? ""];
  const queryFn: () => Promise<NodeData> = async () => {
    if (node === undefined) throw new Error("the node has not run");
    return node;
  };
  const ofRun = useQuery({
    ...read,
    queryKey: [...read.queryKey, ...progress],
    enabled: runId !== undefined && node !== undefined && item === null,
  });
  // An item's nodes are loaded with the item.
  const ofItem = useQuery({
    queryKey: ["runs", "item-node", runId, item?.iteration, nodeId, ...progress],
    queryFn,
    enabled: node !== undefined && item !== null,
  });
  return item === null ? ofRun : ofItem;
}
