import { recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { BulkOutcome, BulkSelection } from "#lib/contract/executions/bulk.ts";
import { AppError } from "#lib/errors.ts";
import { bulkEntry, chooseExecutions } from "#lib/executions/bulk.ts";
import { queueTogether } from "./queue-run.ts";
import { type PreparedRetry, prepareRetry } from "./start-again.ts";
import type { Caller } from "./start-run.ts";

/** Retries at once. Leaves database connections for others. */
const atOnce = 8;

/** How far it got, for the next request with the same key. */
interface Progress {
  readonly matched: number;
  readonly remaining?: number;
  readonly done: number;
  /** The runs still to be retried. */
  readonly ids: readonly string[];
}

/**
 * Retries the selected runs, each with its input, in small batches with one audit log entry each. Skips those whose
 * flow is gone or whose working copy cannot run. A full queue or an unavailable database ends it with an error; runs
 * already started continue.
 */
export async function bulkRetry(actor: Actor, selection: BulkSelection, caller: Caller): Promise<BulkOutcome> {
  const { once } = actor;
  const begun = once?.made ? (once.made as Progress) : { ...(await chooseExecutions(actor, selection)), done: 0 };
  const { ids, matched } = begun;
  if (selection.dryRun) return { matched, done: 0, remaining: matched };
  const remaining = begun.remaining ?? matched - ids.length;
  let { done } = begun;
  for (let from = 0; from < ids.length; from += atOnce) {
    const chosen = ids.slice(from, from + atOnce);
    const retries = (await Promise.all(chosen.map((id) => prepareIfPossible(actor, id, caller)))).flatMap(
      (retry) => retry ?? [],
    );
    if (retries.length === 0) continue;
    done += retries.length;
    const progress: Progress = { matched, remaining, done, ids: ids.slice(from + atOnce) };
    await queueTogether(retries, {
      before: async (run) => await once?.keep(run, progress),
      after: async (run) => {
        for (const { along } of retries) await along(run);
        await recordWith(run, actor, bulkEntry("retried", selection, retries.length));
      },
    });
  }
  return { matched, done, remaining };
}

async function prepareIfPossible(actor: Actor, id: string, caller: Caller): Promise<PreparedRetry | null> {
  try {
    return await prepareRetry(actor, id, {}, caller);
  } catch (error) {
    // A deleted flow or an invalid working copy does not prevent other retries.
    if (error instanceof AppError && (error.code === "NOT_FOUND" || error.code === "VALIDATION_ERROR")) return null;
    throw error;
  }
}
