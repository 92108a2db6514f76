import { type Change, recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { type BulkOutcome, type BulkSelection, bulkMax } from "#lib/contract/executions/bulk.ts";
import type { ExecutionStatus } from "#lib/contract/executions/executions.ts";
import { isoNow, timeNow } from "#lib/platform/clock.ts";
import { database, type RunStatement } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { afterCancellation, cancellation, nameOfActor } from "./cancel-execution.ts";
import { deleteExecutions } from "./delete-executions.ts";
import { findExecutions } from "./search/list-executions.ts";
import { finishTogether } from "./store/finish-execution.ts";

/** Cancels the selected runs that have not ended. A run that ends in the meantime does not count. */
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

/** Which runs a deletion selected and how many it has deleted so far, for the next request with the same key. */
interface Progress extends Selected {
  readonly done: number;
}

/** Deletes the selected runs, after cancelling those in progress. */
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

/** The audit log's entry for a bulk operation: how many runs, and how they were selected. */
export function bulkEntry(
  verb: "cancelled" | "retried",
  { executionIds, filter }: BulkSelection,
  count: number,
): Change {
  const chosen = executionIds === undefined ? { filter } : { executionIds: executionIds.length };
  return { action: `executions.${verb}`, id: filter?.flowId ?? "", after: { count, ...chosen } };
}

interface Selected {
  /** At most as many as one call takes, oldest first. */
  readonly ids: readonly string[];
  readonly matched: number;
}

/** The executions that a bulk operation selects; limited to `statuses` if given. */
export async function chooseExecutions(
  actor: Actor,
  { executionIds, filter = {} }: BulkSelection,
  statuses?: readonly ExecutionStatus[],
): Promise<Selected> {
  if (executionIds !== undefined) return await byIds(actor, executionIds, statuses);
  const status =
    statuses?.filter((allowed) => filter.status === undefined || filter.status.includes(allowed)) ?? filter.status;
  if (status?.length === 0) return { ids: [], matched: 0 };
  const now = timeNow();
  const endDate = filter.endDate === undefined || filter.endDate > now ? now : filter.endDate;
  const { ids, total } = await findExecutions(actor, {
    ...filter,
    ...(status === undefined ? {} : { status: [...status] }),
    endDate,
    page: 1,
    limit: bulkMax,
    sortBy: "startedAt",
    order: "asc",
  });
  return { ids, matched: total };
}

async function byIds(actor: Actor, ids: readonly string[], statuses?: readonly ExecutionStatus[]): Promise<Selected> {
  const known = ids.filter((id) => isId("execution", id));
  const rows = await database().execution.findMany({
    where: {
      workspaceId: actor.workspaceId,
      id: { in: known },
      ...(statuses === undefined ? {} : { status: { in: [...statuses] } }),
    },
    select: { id: true },
    orderBy: { startedAt: "asc" },
  });
  return { ids: rows.map(({ id }) => id), matched: rows.length };
}
