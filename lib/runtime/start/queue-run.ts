import { LRUCache } from "lru-cache";
import type { Once } from "#lib/auth/idempotency.ts";
import { AppError } from "#lib/errors.ts";
import { limitOf, type RunLimit } from "#lib/executions/nodes/run-limit.ts";
import type { TriggerText } from "#lib/executions/run.ts";
import { insertExecution, insertTogether, type WrittenAlong } from "#lib/executions/store/insert-execution.ts";
import { newExecution, type StartedFlow, type StartRequest } from "#lib/executions/store/new-execution.ts";
import type { NewExecution } from "#lib/executions/store/run-row.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { query } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { storeFailure } from "#lib/runtime/drive/fail-run.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";
import { runtime } from "#lib/runtime/runtime.ts";

/** A workspace's queue: the last count, and how many runs this process has added since. */
interface Queue {
  /** By the monotonic clock: the machine's may be set back. */
  readonly countedAt: number;
  pending: number;
}

const workspacesMax = 10_000;
/** How long a count is trusted below the limit, and at it. */
const believedMs = { room: 1_000, full: 100 };
const retryAfterSeconds = 5;

const count = `
  SELECT count(*)::int AS pending FROM (
    SELECT 1 FROM execution WHERE workspace_id = $1 AND status IN ('pending', 'running') AND status = 'pending'
    LIMIT $2) AS queue`;

/**
 * Takes a place in the workspace's queue. Throws SERVICE_UNAVAILABLE while QUEUE_MAX runs are queued: a workspace that
 * starts more than can be handled gets an error, instead of runs that start later and later.
 */
async function requireRoom(workspaceId: string): Promise<void> {
  const queues = singleton("queues", () => new LRUCache<string, Queue>({ max: workspacesMax }));
  const max = env().queueMax;
  let queue = queues.get(workspaceId);
  const now = performance.now();
  if (queue === undefined || now - queue.countedAt > (queue.pending < max ? believedMs.room : believedMs.full)) {
    const [row] = await query<{ pending: number }>("count-queue", count, [workspaceId, max]);
    queue = { countedAt: now, pending: row?.pending ?? 0 };
    queues.set(workspaceId, queue);
  }
  if (queue.pending >= max) {
    throw new AppError("SERVICE_UNAVAILABLE", `${max} runs are already queued; try again later`, {
      retryAfterSeconds,
    });
  }
  queue.pending += 1;
}

/** A run for any free worker. */
export interface QueuedRun {
  readonly executionId: string;
  readonly startedAt: string;
}

type Request = Omit<StartRequest, "leaseOwner" | "limit">;

/** A run ready to be stored. */
export interface PreparedRun {
  readonly execution: NewExecution;
  /** Why the flow's concurrency key could not be evaluated. */
  readonly failure: NodeFailure | null;
}

/** Prepares a run for storing. Throws SERVICE_UNAVAILABLE if too many are queued. */
export async function prepareRun(flow: StartedFlow, request: Request): Promise<PreparedRun> {
  await requireRoom(flow.workspaceId);
  const { limit, failure } = await limitRun(flow, request.trigger);
  return { execution: newExecution(flow, { ...request, leaseOwner: null, limit }), failure };
}

/**
 * Stores a run for a worker; resolves once it is on disk. If the flow limits its runs, the run is held until a slot is
 * free. Throws SERVICE_UNAVAILABLE if too many are queued.
 */
export async function queueRun(flow: StartedFlow, request: Request, once?: Once): Promise<QueuedRun> {
  const prepared = await prepareRun(flow, once === undefined ? request : { ...request, id: once.executionId });
  await storeOnce(prepared.execution, once);
  return await release(prepared);
}

/** Stores runs for workers together with more writes, atomically; false if the claim failed. */
export async function queueTogether(prepared: readonly PreparedRun[], along: WrittenAlong): Promise<boolean> {
  const executions = prepared.map(({ execution }) => execution);
  if (!(await insertTogether(executions, along))) return false;
  for (const { execution, failure } of prepared) {
    if (failure !== null) await failLimitedRun(execution.id, failure);
  }
  await runtime().dispatch();
  if (executions.some(({ limit }) => limit !== null)) await runtime().dispatch(true);
  return true;
}

/** Stores a run; with an idempotency key, in the transaction that records the key's answer. */
export async function storeOnce(execution: NewExecution, once: Once | undefined): Promise<void> {
  if (once === undefined) return await insertExecution(execution);
  const { id: executionId, startedAt } = execution;
  await insertTogether([execution], { before: (run) => once.keep(run, { executionId, startedAt }) });
}

/** Notifies workers of a stored run. */
async function release({ execution, failure }: PreparedRun): Promise<QueuedRun> {
  if (failure !== null) await failLimitedRun(execution.id, failure);
  else await runtime().dispatch(execution.limit !== null);
  return { executionId: execution.id, startedAt: execution.startedAt };
}

/** The limit that applies to a run, if any, or why its key could not be evaluated. */
interface LimitedRun {
  readonly limit: RunLimit | null;
  readonly failure: NodeFailure | null;
}

/**
 * A run whose key cannot be evaluated is held as well, without any slot: it must neither be lost nor run beyond the
 * limit before it is failed.
 */
export async function limitRun(flow: StartedFlow, trigger: TriggerText): Promise<LimitedRun> {
  try {
    return { limit: await limitOf(flow, trigger, outsideWorld().sandbox), failure: null };
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    return { limit: { key: `${flow.id}!`, most: 0, policy: "queue" }, failure: error };
  }
}

// Their process has died: it would have failed them at once.
const unkeyed = `
  SELECT id FROM execution WHERE held AND concurrency_key IS NOT NULL AND status IN ('pending', 'running')
    AND concurrency_limit = 0 AND started_at < now() - interval '1 minute' LIMIT 200`;

/** Fails runs whose key could not be evaluated and whose process died before it failed them; returns how many. */
export async function failUnkeyedRuns(): Promise<number> {
  const rows = await query<{ id: string }>("unkeyed-runs", unkeyed, []);
  const failure = new NodeFailure("EXPRESSION_FAILED", "key: it could not be evaluated");
  for (const { id } of rows) await failLimitedRun(id, failure);
  return rows.length;
}

/** Ends a stored run whose key could not be evaluated. */
export async function failLimitedRun(id: string, { code, message }: NodeFailure): Promise<void> {
  await storeFailure({ id, fence: null }, { code, message: `settings.concurrency.${message}`, nodesExecuted: 0 });
}
