import type { CompiledVersion } from "#lib/executions/compiled-version.ts";
import type { StartedFlow, StartRequest } from "#lib/executions/new-execution.ts";
import { concurrencyOf } from "#lib/executions/run-limit.ts";
import { env } from "#lib/platform/env.ts";
import type { RunEnd } from "./drive-run.ts";
import { type QueuedRun, queueRun } from "./queue-run.ts";
import { runHere } from "./run-here.ts";
import { storedEnd } from "./stored-end.ts";
import { worker } from "./worker.ts";

/** A run whose caller waits for its end; null when it is not known here, or does not come in time. */
export interface StartedRun extends QueuedRun {
  readonly end: Promise<RunEnd | null>;
}

/** Runs a flow at once, in this process; where the flow limits its runs, as soon as it is its turn, wherever that is. */
export async function startRun(
  flow: StartedFlow,
  version: CompiledVersion,
  request: Omit<StartRequest, "leaseOwner">,
): Promise<StartedRun> {
  if (concurrencyOf(flow.settings) === null) {
    worker();
    return await runHere(flow, version, request);
  }
  const run = await queueRun(flow, request);
  return { ...run, end: storedEnd(run.executionId, version, env().syncWaitMs) };
}

/** The end of the run if it comes within `ms`; undefined while it goes on. */
export async function endWithin(ms: number, end: Promise<RunEnd | null>): Promise<RunEnd | null | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const later = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  const first = await Promise.race([end, later]);
  clearTimeout(timer);
  return first;
}
