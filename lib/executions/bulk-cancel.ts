import { recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { BulkOutcome, BulkSelection } from "#lib/contract/execution-bulk.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { bulkEntry } from "./bulk-entry.ts";
import { afterCancellation, cancellation, nameOfActor } from "./cancel-execution.ts";
import { chooseExecutions } from "./choose-executions.ts";
import { finishTogether } from "./finish-execution.ts";

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
