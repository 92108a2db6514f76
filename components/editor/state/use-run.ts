import { useStore } from "zustand";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { useSession } from "./editor-context.ts";

/** How a node fares in the run that is shown; only its own card is drawn again when that changes. */
export function useRunOf(nodeId: string): ShownNodeExecution | undefined {
  return useStore(useSession().runs.store, (state) => state.nodes.get(nodeId));
}

/** The run that is shown on the canvas. */
export function useShownRun(): ShownExecution | null {
  return useStore(useSession().runs.store, (state) => state.run);
}

/** Everything that nodes did in the run that is shown. */
export function useRunNodes(): ReadonlyMap<string, ShownNodeExecution> {
  return useStore(useSession().runs.store, (state) => state.nodes);
}
