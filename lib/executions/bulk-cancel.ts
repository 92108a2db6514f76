import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { BulkOutcome, BulkSelection } from "#lib/contract/execution-bulk.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { bulkEntry } from "./bulk-entry.ts";
import { cancelRow } from "./cancel-execution.ts";
import { chooseExecutions } from "./choose-executions.ts";

/** Cancels the chosen runs that have not ended; one that ends in the meantime counts as not done. */
export async function bulkCancel(actor: Actor, selection: BulkSelection): Promise<BulkOutcome> {
  const { ids, matched } = await chooseExecutions(actor, selection, ["pending", "running"]);
  if (selection.dryRun) return { matched, done: 0, remaining: matched };
  const cancelledAt = isoNow();
  const won = await Promise.all(ids.map((id) => cancelRow(id, cancelledAt, null)));
  const done = won.filter(Boolean).length;
  if (done > 0) await recordChange(database(), actor, bulkEntry("cancelled", selection, done));
  return { matched, done, remaining: matched - ids.length };
}
