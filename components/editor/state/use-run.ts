import { useStore } from "zustand";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { useSession } from "./editor-context.ts";
import { nodesOnCanvas } from "./run-watch.ts";

/** A node at the moment of the displayed run that is shown; only its own card is redrawn when it changes. */
export function useRunOf(nodeId: string): ShownNodeExecution | undefined {
  return useStore(useSession().runs.store, (state) => nodesOnCanvas(state).get(nodeId));
}

/** The run displayed on the canvas. */
export function useShownRun(): ShownExecution | null {
  return useStore(useSession().runs.store, (state) => state.run);
}

/** Everything that nodes did in the displayed run. */
export function useRunNodes(): ReadonlyMap<string, ShownNodeExecution> {
  return useStore(useSession().runs.store, (state) => state.nodes);
}
