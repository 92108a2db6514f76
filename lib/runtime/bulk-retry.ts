import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { BulkOutcome, BulkSelection } from "#lib/contract/execution-bulk.ts";
import { AppError } from "#lib/errors.ts";
import { bulkEntry } from "#lib/executions/bulk-entry.ts";
import { chooseExecutions } from "#lib/executions/choose-executions.ts";
import { database } from "#lib/platform/database.ts";
import { type Caller, startAgain } from "./start-again.ts";

/** So that a bulk operation leaves connections to the database for others. */
const atOnce = 8;

/**
 * Runs the chosen ones again, each from its input. Those whose flow is gone are left out; a queue that is full, or a
 * database that is away, ends it with an error: what was started is started.
 */
export async function bulkRetry(actor: Actor, selection: BulkSelection, caller: Caller): Promise<BulkOutcome> {
  const { ids, matched } = await chooseExecutions(actor, selection);
  if (selection.dryRun) return { matched, done: 0, remaining: matched };
  let done = 0;
  for (let from = 0; from < ids.length; from += atOnce) {
    const started = await Promise.all(ids.slice(from, from + atOnce).map((id) => startUnlessGone(actor, id, caller)));
    done += started.filter(Boolean).length;
  }
  if (done > 0) await recordChange(database(), actor, bulkEntry("retried", selection, done));
  return { matched, done, remaining: matched - ids.length };
}

async function startUnlessGone(actor: Actor, id: string, caller: Caller): Promise<boolean> {
  try {
    await startAgain(actor, id, {}, caller);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "NOT_FOUND") return false;
    throw error;
  }
}
