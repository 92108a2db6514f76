import { insertExecution } from "#lib/executions/insert-execution.ts";
import { newExecution, type StartedFlow, type StartRequest } from "#lib/executions/new-execution.ts";
import { dispatch } from "./dispatch.ts";
import { failLimitedRun, limitRun } from "./limit-run.ts";
import { requireRoom } from "./require-room.ts";

/** A run that is left to whoever is free to do it. */
export interface QueuedRun {
  readonly executionId: string;
  readonly startedAt: string;
}

/**
 * Stores a run for a worker; when this resolves it is on disk. Where the flow limits its runs, it waits for its turn.
 * `prepare`: what must be stored before a worker may take it. Throws SERVICE_UNAVAILABLE where too many wait.
 */
export async function queueRun(
  flow: StartedFlow,
  request: Omit<StartRequest, "leaseOwner" | "limit">,
  prepare?: (executionId: string) => Promise<void>,
): Promise<QueuedRun> {
  await requireRoom(flow.workspaceId);
  const { limit, failure } = await limitRun(flow, request.trigger);
  const execution = newExecution(flow, { ...request, leaseOwner: null, limit });
  await prepare?.(execution.id);
  await insertExecution(execution);
  if (failure !== null) await failLimitedRun(execution.id, failure);
  else await dispatch(limit !== null);
  return { executionId: execution.id, startedAt: execution.startedAt };
}
