import type { Actor } from "#lib/auth/actor.ts";
import { type BulkSelection, bulkMax } from "#lib/contract/executions/bulk.ts";
import type { ExecutionStatus } from "#lib/contract/executions/executions.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { findExecutions } from "./list-executions.ts";

export interface Chosen {
  /** Up to as many as one call takes, oldest first. */
  readonly ids: readonly string[];
  readonly matched: number;
}

/** The executions that a bulk operation selects; limited to `statuses` if given. */
export async function chooseExecutions(
  actor: Actor,
  { executionIds, filter = {} }: BulkSelection,
  statuses?: readonly ExecutionStatus[],
): Promise<Chosen> {
  if (executionIds !== undefined) return await byIds(actor, executionIds, statuses);
  const status = statuses?.filter((one) => filter.status === undefined || filter.status.includes(one)) ?? filter.status;
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

async function byIds(actor: Actor, ids: readonly string[], statuses?: readonly ExecutionStatus[]): Promise<Chosen> {
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
