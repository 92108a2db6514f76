import type { Once } from "#lib/auth/idempotency.ts";
import { depthOf } from "#lib/engine/flow-body.ts";
import type { CompiledVersion } from "#lib/executions/nodes/compiled-version.ts";
import type { Run } from "#lib/executions/run.ts";
import { isOfDraft } from "#lib/executions/search/execution-filter.ts";
import { noMask } from "#lib/executions/secrets/mask-secrets.ts";
import { Journal } from "#lib/executions/store/journal.ts";
import { newExecution, type StartedFlow, type StartRequest } from "#lib/executions/store/new-execution.ts";
import { noRecords } from "#lib/executions/store/node-record.ts";
import { RunSizes } from "#lib/executions/store/run-sizes.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";
import { yieldAfter } from "#lib/platform/turns.ts";
import { driveRun, type RunEnd } from "#lib/runtime/drive/drive-run.ts";
import { LateRecord, storedRecord } from "#lib/runtime/drive/run-record.ts";
import { processName, runtime } from "#lib/runtime/runtime.ts";
import { storeOnce } from "#lib/runtime/start/queue-run.ts";

/** A run in this process whose caller waits. */
export interface InlineRun {
  readonly executionId: string;
  readonly startedAt: string;
  /** Its end, or null if the caller stopped waiting first, in which case its record is on disk. Throws StaleFlow. */
  readonly end: Promise<RunEnd | null>;
}

/**
 * Runs a flow at once, under this process's lease; if the process dies, a worker takes over. The record is written
 * before anything is visible outside: with the first record of a node that acts, or with the run's end. If the run
 * still waits when its caller stops waiting, it is suspended, and its end is null. Throws StaleFlow.
 */
export async function runInline(
  flow: StartedFlow,
  version: CompiledVersion,
  request: Omit<StartRequest, "leaseOwner">,
  once?: Once,
): Promise<InlineRun> {
  const id = once === undefined ? {} : { id: once.executionId };
  const execution = newExecution(flow, { ...request, ...id, leaseOwner: processName() });
  await yieldAfter(execution.trigger.length);
  const isLate = once === undefined && version.allNodes.length <= lateNodesMax;
  const late = isLate ? new LateRecord(execution) : null;
  if (late === null) await storeOnce(execution, once);
  const run: Run = {
    id: execution.id,
    workspaceId: flow.workspaceId,
    flowId: flow.id,
    flowName: flow.name,
    flowVersion: flow.version,
    startedAt: execution.startedAt,
    timeoutMs: execution.timeoutMs,
    workedMs: 0,
    isSubFlow: false,
    isOfDraft: isOfDraft(execution.source),
    originalId: request.originalExecutionId ?? null,
    isSuspect: false,
    isStored: () => late?.isStored ?? true,
    fence: 1,
    trigger: request.trigger,
    depth: depthOf(request.trigger.value.headers),
    version,
    journal: new Journal(),
    sizes: new RunSizes(env().outputs),
    stop: new AbortController(),
    secrets: new Map(),
    mask: noMask,
  };
  const { syncWaitMs } = env();
  const end = driveRun(run, noRecords, nowMs() + syncWaitMs, late ?? storedRecord).then(reportEnd);
  return { executionId: run.id, startedAt: run.startedAt, end: endWithin(syncWaitMs, end, late) };
}

async function reportEnd(end: RunEnd | null): Promise<RunEnd | null> {
  await runtime().ended(end !== null);
  return end;
}

/** Larger flows, and runs with an idempotency key, are stored before they start. */
const lateNodesMax = 50;

async function endWithin(ms: number, end: Promise<RunEnd | null>, late: LateRecord | null): Promise<RunEnd | null> {
  const first = await new Promise<RunEnd | null>((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ms);
    end.then(resolve, reject).finally(() => clearTimeout(timer));
  });
  // The caller is told where to find the result.
  if (first === null) await late?.stored();
  return first;
}
