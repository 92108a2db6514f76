import type { CompiledVersion } from "#lib/executions/compiled-version.ts";
import { insertExecution } from "#lib/executions/insert-execution.ts";
import { Journal } from "#lib/executions/journal.ts";
import { createMask } from "#lib/executions/mask-secrets.ts";
import { newExecution, type StartedFlow, type StartRequest } from "#lib/executions/new-execution.ts";
import { noRecords } from "#lib/executions/node-record.ts";
import type { Run } from "#lib/executions/run.ts";
import { env } from "#lib/platform/env.ts";
import { driveRun, type RunEnd } from "./drive-run.ts";
import { processName } from "./process-name.ts";

/** A run that goes on in this process while its caller waits. */
export interface RunHere {
  readonly executionId: string;
  readonly startedAt: string;
  readonly end: Promise<RunEnd | null>;
}

/**
 * The inline runtime: writes the record with a lease of this process, then runs at once. If the process dies, a
 * worker takes the lease over. Resolves when the record is on disk. A run that comes to wait for longer than its caller
 * does is let go: its end is null.
 */
export async function runHere(
  flow: StartedFlow,
  version: CompiledVersion,
  request: Omit<StartRequest, "leaseOwner">,
): Promise<RunHere> {
  const execution = newExecution(flow, { ...request, leaseOwner: processName() });
  await insertExecution(execution);
  const run: Run = {
    id: execution.id,
    workspaceId: flow.workspaceId,
    flowId: flow.id,
    flowName: flow.name,
    startedAt: execution.startedAt,
    timeoutMs: execution.timeoutMs,
    workedMs: 0,
    isSubFlow: false,
    fence: 1,
    trigger: request.trigger,
    triggerJson: execution.trigger,
    version,
    journal: new Journal(),
    stop: new AbortController(),
    secrets: new Map(),
    mask: createMask([]),
  };
  const end = driveRun(run, noRecords, Date.now() + env().syncWaitMs);
  return { executionId: run.id, startedAt: run.startedAt, end };
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
