import { useStore } from "zustand";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
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
