import { recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { queueTogether } from "./queue-run.ts";
import { type Caller, prepareRetry, type RetryRequest } from "./start-again.ts";

interface Retried {
  readonly executionId: string;
  readonly originalExecutionId: string;
  readonly status: "running";
  readonly startedAt: string;
}

/** Runs one execution again, as `prepareRetry` says; the run, what it keeps and the audit log's entry stand together. */
export async function retryExecution(actor: Actor, id: string, given: RetryRequest, caller: Caller) {
  const { once } = actor;
  if (once?.made) return once.made as Retried;
  const retry = await prepareRetry(actor, id, given, caller, once?.executionId);
  const { id: executionId, startedAt } = retry.execution;
  const retried: Retried = { executionId, originalExecutionId: id, status: "running", startedAt };
  const after = { count: 1, executionId, ...(given.fromNode && { fromNode: given.fromNode }) };
  await queueTogether([retry], {
    before: async (run) => await once?.keep(run, retried),
    after: async (run) => {
      await retry.along(run);
      await recordWith(run, actor, { action: "executions.retried", id, after });
    },
  });
  return retried;
}
