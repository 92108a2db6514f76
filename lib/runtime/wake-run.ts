import { waitingRuns } from "#lib/executions/waiting-runs.ts";
import { runtime } from "./runtime.ts";

/** Has a run go on that something has woken: where this process has it in memory, and where nobody has it. */
export async function wakeRun(executionId: string): Promise<void> {
  // What cannot be read now is found with the next heartbeat.
  void waitingRuns()
    .get(executionId)
    ?.look()
    .catch(() => {});
  await runtime().wake(executionId);
}
