import type { Once } from "#lib/auth/idempotency.ts";
import { AppError } from "#lib/errors.ts";
import type { CompiledVersion } from "#lib/executions/nodes/compiled-version.ts";
import { concurrencyOf } from "#lib/executions/nodes/run-limit.ts";
import type { StartedFlow, StartRequest } from "#lib/executions/store/new-execution.ts";
import { env } from "#lib/platform/env.ts";
import type { RunEnd } from "#lib/runtime/drive/drive-run.ts";
import { runInline } from "#lib/runtime/embedded/inline-run.ts";
import { worker } from "#lib/runtime/embedded/worker.ts";
import { awaitEnd } from "./await-end.ts";
import { type QueuedRun, queueRun } from "./queue-run.ts";

/** Who asked for a run, as its trigger data tells. */
export interface Caller {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** A run whose caller waits for its end. */
interface StartedRun extends QueuedRun {
  /** Null if it does not end in time, or if its end is unknown here. Throws StaleFlow. */
  readonly end: Promise<RunEnd | null>;
}

/**
 * Runs a flow at once, in this process; if the flow limits its runs, in any process once a slot is free. Throws
 * StaleFlow, and SERVICE_UNAVAILABLE once this process has drained.
 */
export async function startRun(
  flow: StartedFlow,
  version: CompiledVersion,
  request: Omit<StartRequest, "leaseOwner">,
  once?: Once,
): Promise<StartedRun> {
  if (flow.isDraft === true || concurrencyOf(flow.settings) === null) {
    if (worker().isDrained) {
      throw new AppError("SERVICE_UNAVAILABLE", "The service is stopping; try again shortly", { retryAfterSeconds: 1 });
    }
    return await runInline(flow, version, request, once);
  }
  const run = await queueRun(flow, request, once);
  return { ...run, end: awaitEnd(run.executionId, version, env().syncWaitMs) };
}
