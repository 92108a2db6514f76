import type { Once } from "#lib/auth/idempotency.ts";
import type { CompiledVersion } from "#lib/executions/compiled-version.ts";
import type { StartedFlow, StartRequest } from "#lib/executions/new-execution.ts";
import { concurrencyOf } from "#lib/executions/run-limit.ts";
import { env } from "#lib/platform/env.ts";
import type { RunEnd } from "./drive-run.ts";
import { type QueuedRun, queueRun } from "./queue-run.ts";
import { runHere } from "./run-here.ts";
import { storedEnd } from "./stored-end.ts";
import { worker } from "./worker.ts";

/** A run whose caller waits for its end. */
interface StartedRun extends QueuedRun {
  /** Null when it does not come in time, or is not known here. Throws StaleFlow. */
  readonly end: Promise<RunEnd | null>;
}

/**
 * Runs a flow at once, in this process; where the flow limits its runs, as soon as it is its turn, wherever that is.
 * Throws StaleFlow.
 */
export async function startRun(
  flow: StartedFlow,
  version: CompiledVersion,
  request: Omit<StartRequest, "leaseOwner">,
  once?: Once,
): Promise<StartedRun> {
  if (concurrencyOf(flow.settings) === null) {
    worker();
    return await runHere(flow, version, request, once);
  }
  const run = await queueRun(flow, request, once);
  return { ...run, end: storedEnd(run.executionId, version, env().syncWaitMs) };
}
