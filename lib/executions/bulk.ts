import { type Change, recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { BulkOutcome, BulkSelection } from "#lib/contract/executions/bulk.ts";
import { isoNow } from "#lib/platform/clock.ts";
import type { RunStatement } from "#lib/platform/database.ts";
import { afterCancellation, cancellation, nameOfActor } from "./cancel-execution.ts";
import { deleteExecutions } from "./delete-executions.ts";
import { type Chosen, chooseExecutions } from "./search/choose-executions.ts";
import { finishTogether } from "./store/finish-execution.ts";

/** Cancels the chosen runs that have not ended; one that ends in the meantime does not count. */
export async function bulkCancel(actor: Actor, selection: BulkSelection): Promise<BulkOutcome> {
  const { once } = actor;
  if (once?.made) return once.made as BulkOutcome;
  const { ids, matched } = await chooseExecutions(actor, selection, ["pending", "running"]);
  if (selection.dryRun) return { matched, done: 0, remaining: matched };
  const outcome = (done: number): BulkOutcome => ({ matched, done, remaining: matched - ids.length });
  const cancelledAt = isoNow();
  const by = await nameOfActor(actor);
  const cancelled = await finishTogether(
    ids.map((id) => cancellation(id, cancelledAt, null, by)),
    async (run, count) => {
      await once?.keep(run, outcome(count));
      await recordWith(run, actor, bulkEntry("cancelled", selection, count));
    },
  );
  await Promise.all([...cancelled].map(afterCancellation));
  return outcome(cancelled.size);
}

/** Which runs a deletion chose and how many it has deleted, for the next request with its key. */
interface Progress extends Chosen {
  readonly done: number;
}

/** Deletes the chosen runs, after cancelling those in progress. */
export async function bulkDelete(actor: Actor, selection: BulkSelection): Promise<BulkOutcome> {
  const { once } = actor;
  const begun = once?.made ? (once.made as Progress) : { ...(await chooseExecutions(actor, selection)), done: 0 };
  const { ids, matched } = begun;
  if (selection.dryRun) return { matched, done: 0, remaining: matched };
  if (ids.length === 0) return { matched, done: 0, remaining: 0 };
  const keep = async (run: RunStatement, count: number) =>
    await once?.keep(run, { ...begun, done: begun.done + count });
  const { deletedCount } = await deleteExecutions(actor, { executionIds: ids }, keep);
  return { matched, done: begun.done + deletedCount, remaining: matched - ids.length };
}

/** The audit log's entry for a bulk operation: how many runs, and how they were chosen. */
export function bulkEntry(
  verb: "cancelled" | "retried",
  { executionIds, filter }: BulkSelection,
  count: number,
): Change {
  const chosen = executionIds === undefined ? { filter } : { executionIds: executionIds.length };
  return { action: `executions.${verb}`, id: filter?.flowId ?? "", after: { count, ...chosen } };
}
