import type { Actor } from "#lib/auth/actor.ts";
import type { BulkOutcome, BulkSelection } from "#lib/contract/execution-bulk.ts";
import { chooseExecutions } from "./choose-executions.ts";
import { deleteExecutions } from "./delete-executions.ts";

/** Deletes the chosen runs; what is running is cancelled first. */
export async function bulkDelete(actor: Actor, selection: BulkSelection): Promise<BulkOutcome> {
  const { ids, matched } = await chooseExecutions(actor, selection);
  if (selection.dryRun) return { matched, done: 0, remaining: matched };
  if (ids.length === 0) return { matched, done: 0, remaining: 0 };
  const { deletedCount } = await deleteExecutions(actor, { executionIds: ids });
  return { matched, done: deletedCount, remaining: matched - ids.length };
}
