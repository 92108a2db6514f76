import { cancelForsaken } from "#lib/executions/cancel-execution.ts";
import { finishFlowDeletions } from "#lib/flows/delete-flow.ts";

/** Finishes what processes began and did not live to finish; gives how much there was. Any number may do so at once. */
export async function finishBegun(): Promise<number> {
  return (await finishFlowDeletions()) + (await cancelForsaken());
}
