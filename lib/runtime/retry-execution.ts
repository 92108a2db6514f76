import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { database } from "#lib/platform/database.ts";
import { type Caller, type RetryRequest, startAgain } from "./start-again.ts";

/** Runs one execution again, as `startAgain` does, and tells the audit log of it. */
export async function retryExecution(actor: Actor, id: string, given: RetryRequest, caller: Caller) {
  const started = await startAgain(actor, id, given, caller);
  const { executionId } = started;
  const after = { count: 1, executionId, ...(given.fromNode && { fromNode: given.fromNode }) };
  await recordChange(database(), actor, { action: "executions.retried", id, after });
  return started;
}
