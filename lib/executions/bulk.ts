import { type Change, recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { BulkOutcome, BulkSelection } from "#lib/contract/executions/bulk.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { afterCancellation, cancellation, nameOfActor } from "./cancel-execution.ts";
import { deleteExecutions } from "./delete-executions.ts";
import { chooseExecutions } from "./search/choose-executions.ts";
import { finishTogether } from "./store/finish-execution.ts";

/** Cancels the chosen runs that have not ended; one that ends in the meantime counts as not done. */
export async function bulkCancel(actor: Actor, selection: BulkSelection): Promise<BulkOutcome> {
  const { ids, matched } = await chooseExecutions(actor, selection, ["pending", "running"]);
  if (selection.dryRun) return { matched, done: 0, remaining: matched };
  const cancelledAt = isoNow();
  const by = await nameOfActor(actor);
  const cancelled = await finishTogether(
    ids.map((id) => cancellation(id, cancelledAt, null, by)),
    (run, count) => recordWith(run, actor, bulkEntry("cancelled", selection, count)),
  );
  await Promise.all([...cancelled].map(afterCancellation));
  return { matched, done: cancelled.size, remaining: matched - ids.length };
}

/** Deletes the chosen runs; what is running is cancelled first. */
export async function bulkDelete(actor: Actor, selection: BulkSelection): Promise<BulkOutcome> {
  const { ids, matched } = await chooseExecutions(actor, selection);
  if (selection.dryRun) return { matched, done: 0, remaining: matched };
  if (ids.length === 0) return { matched, done: 0, remaining: 0 };
  const { deletedCount } = await deleteExecutions(actor, { executionIds: ids });
  return { matched, done: deletedCount, remaining: matched - ids.length };
}

/** What the audit log tells of something done to many runs: to how many, and how they were chosen. */
export function bulkEntry(
  verb: "cancelled" | "retried",
  { executionIds, filter }: BulkSelection,
  count: number,
): Change {
  const chosen = executionIds === undefined ? { filter } : { executionIds: executionIds.length };
  return { action: `executions.${verb}`, id: filter?.flowId ?? "", after: { count, ...chosen } };
}
