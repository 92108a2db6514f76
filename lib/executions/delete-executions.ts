import { recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { database, type RunStatement } from "#lib/platform/database.ts";
import type { ExecutionWhereInput } from "#lib/platform/prisma/models.ts";
import { cancelRow } from "./cancel-execution.ts";
import { deleteRows } from "./delete-execution.ts";

interface Filter {
  readonly flowId?: string | undefined;
  readonly status?: string | undefined;
  readonly olderThan?: Date | undefined;
  readonly executionIds?: readonly string[] | undefined;
}

const batchMax = 1_000;

/**
 * Deletes all executions that the whole filter fits, in bounded steps, each with its entry in the audit log; what is
 * running is cancelled first.
 */
export async function deleteExecutions(
  actor: Actor,
  filter: Filter,
): Promise<{ deletedCount: number; status: string }> {
  const where = whereOf(actor, filter);
  let deletedCount = 0;
  for (;;) {
    const rows = await database().execution.findMany({ where, select: { id: true, status: true }, take: batchMax });
    if (rows.length === 0) break;
    const open = rows.filter(({ status }) => status === "pending" || status === "running");
    await Promise.all(open.map(({ id }) => cancelRow(id, isoNow(), null)));
    const record = (run: RunStatement, count: number) => recordWith(run, actor, entryOf(filter, count));
    const deleted = await deleteRows(
      rows.map(({ id }) => id),
      record,
    );
    deletedCount += deleted;
    if (deleted === 0) break;
  }
  return { deletedCount, status: `${deletedCount} ${deletedCount === 1 ? "execution" : "executions"} deleted` };
}

/** Each condition is written only when it was given: `undefined` would mean "any" to Prisma. */
function whereOf(actor: Actor, { flowId, status, olderThan, executionIds }: Filter): ExecutionWhereInput {
  return {
    workspaceId: actor.workspaceId,
    ...(flowId === undefined ? {} : { flowId }),
    ...(status === undefined ? {} : { status }),
    ...(olderThan === undefined ? {} : { startedAt: { lt: olderThan } }),
    ...(executionIds === undefined ? {} : { id: { in: [...executionIds] } }),
  };
}

function entryOf({ flowId, status, olderThan, executionIds }: Filter, count: number) {
  const asked = { flowId, status, olderThan, executionIds: executionIds?.length };
  return { action: "executions.deleted", id: flowId ?? "", after: { count, ...asked } } as const;
}
