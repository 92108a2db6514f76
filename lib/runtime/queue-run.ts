import type { Once } from "#lib/auth/idempotency.ts";
import {
  insertExecution,
  insertTogether,
  type NewExecution,
  type WrittenAlong,
} from "#lib/executions/insert-execution.ts";
import { newExecution, type StartedFlow, type StartRequest } from "#lib/executions/new-execution.ts";
import type { NodeFailure } from "#lib/nodes/define.ts";
import { failLimitedRun, limitRun } from "./limit-run.ts";
import { requireRoom } from "./require-room.ts";
import { runtime } from "./runtime.ts";

/** A run that is left to whoever is free to do it. */
export interface QueuedRun {
  readonly executionId: string;
  readonly startedAt: string;
}

type Request = Omit<StartRequest, "leaseOwner" | "limit">;

/** A run that is ready to be stored. */
export interface PreparedRun {
  readonly execution: NewExecution;
  /** Why its place among the flow's other runs cannot be told. */
  readonly failure: NodeFailure | null;
}

/** Makes a run ready to be stored. Throws SERVICE_UNAVAILABLE where too many wait. */
export async function prepareRun(flow: StartedFlow, request: Request): Promise<PreparedRun> {
  await requireRoom(flow.workspaceId);
  const { limit, failure } = await limitRun(flow, request.trigger);
  return { execution: newExecution(flow, { ...request, leaseOwner: null, limit }), failure };
}

/**
 * Stores a run for a worker; when this resolves it is on disk. Where the flow limits its runs, it waits for its turn.
 * Throws SERVICE_UNAVAILABLE where too many wait.
 */
export async function queueRun(flow: StartedFlow, request: Request, once?: Once): Promise<QueuedRun> {
  const prepared = await prepareRun(flow, once === undefined ? request : { ...request, id: once.executionId });
  await storeOnce(prepared.execution, once);
  return await release(prepared);
}

/** Stores runs for workers, and what is written along with them, all or nothing. */
export async function queueTogether(prepared: readonly PreparedRun[], along: WrittenAlong): Promise<void> {
  const executions = prepared.map(({ execution }) => execution);
  await insertTogether(executions, along);
  for (const { execution, failure } of prepared) {
    if (failure !== null) await failLimitedRun(execution.id, failure);
  }
  await runtime().dispatch();
  if (executions.some(({ limit }) => limit !== null)) await runtime().dispatch(true);
}

/** Stores a run; under a key, in the transaction that notes it there. */
export async function storeOnce(execution: NewExecution, once: Once | undefined): Promise<void> {
  if (once === undefined) return await insertExecution(execution);
  const { id: executionId, startedAt } = execution;
  await insertTogether([execution], { before: (run) => once.keep(run, { executionId, startedAt }) });
}

/** Lets workers know of a run that is stored. */
async function release({ execution, failure }: PreparedRun): Promise<QueuedRun> {
  if (failure !== null) await failLimitedRun(execution.id, failure);
  else await runtime().dispatch(execution.limit !== null);
  return { executionId: execution.id, startedAt: execution.startedAt };
}
