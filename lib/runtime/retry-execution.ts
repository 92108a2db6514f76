import { recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { queueTogether } from "./queue-run.ts";
import { type Caller, prepareRetry, type RetryRequest } from "./start-again.ts";

/** Runs one execution again, as `prepareRetry` says; the run, what it keeps and the audit log's entry stand together. */
export async function retryExecution(actor: Actor, id: string, given: RetryRequest, caller: Caller) {
  const retry = await prepareRetry(actor, id, given, caller);
  const { id: executionId, startedAt } = retry.execution;
  const after = { count: 1, executionId, ...(given.fromNode && { fromNode: given.fromNode }) };
  await queueTogether([retry], async (run) => {
    await retry.along(run);
    await recordWith(run, actor, { action: "executions.retried", id, after });
  });
  return { executionId, originalExecutionId: id, status: "running" as const, startedAt };
}
