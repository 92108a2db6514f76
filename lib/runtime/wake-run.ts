import { waitingRuns } from "#lib/executions/waiting-runs.ts";
import { worker } from "./worker.ts";

/** Has a run go on that something has woken: where this process has it in memory, and where nobody has it. */
export function wakeRun(executionId: string): void {
  // What cannot be read now is found with the next heartbeat.
  void waitingRuns()
    .get(executionId)
    ?.look()
    .catch(() => {});
  worker().wake();
}
