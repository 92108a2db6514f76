import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { cancelRow } from "#lib/executions/cancel-execution.ts";
import { deleteRows } from "#lib/executions/delete-executions.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { database, query } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { requireMatch } from "./if-match.ts";

interface DeleteOptions {
  readonly deleteExecutions: boolean;
  /** An ETag: only this version is deleted. */
  readonly ifMatch: string | null;
}

const batchMax = 1_000;
/** They share a statement. Leaves database connections for others. */
const cancelledAtOnce = 50;

/**
 * Deletes a flow permanently: no new run can start, and runs in progress are cancelled. With `deleteExecutions`, its
 * records are deleted too; otherwise they are kept, with the versions that they ran. The transaction that deletes the
 * flow records what to do with its runs, so that upkeep can finish it. Throws NOT_FOUND, and CONFLICT by `ifMatch`.
 */
export async function deleteFlow(
  actor: Actor,
  id: string,
  { deleteExecutions, ifMatch }: DeleteOptions,
): Promise<null> {
  const { workspaceId } = actor;
  await database().$transaction(async (tx) => {
    const { name } = await lockFlow(tx, actor, id, ifMatch);
    await tx.flow.delete({ where: { id } });
    await tx.$executeRaw`
      INSERT INTO flow_deletion (flow_id, workspace_id, delete_executions, look_at)
      VALUES (${id}, ${workspaceId}, ${deleteExecutions}, now() + interval '1 minute')`;
    await recordChange(tx, actor, { action: "flow.deleted", id, name, after: { deleteExecutions } });
  });
  await clearRuns({ flowId: id, workspaceId, deleteExecutions });
  return null;
}

interface Deletion {
  readonly flowId: string;
  readonly workspaceId: string;
  readonly deleteExecutions: boolean;
}

const due = `
  UPDATE flow_deletion SET look_at = now() + interval '1 minute'
  WHERE flow_id IN (
    SELECT flow_id FROM flow_deletion WHERE look_at <= now() ORDER BY look_at LIMIT 20 FOR UPDATE SKIP LOCKED)
  RETURNING flow_id AS "flowId", workspace_id AS "workspaceId", delete_executions AS "deleteExecutions"`;

/**
 * Finishes deletions of flows whose process died, including runs that were stored meanwhile; returns the number of
 * flows.
 */
export async function finishFlowDeletions(): Promise<number> {
  const deletions = await query<Deletion & Record<string, unknown>>("due-flow-deletions", due, []);
  for (const deletion of deletions) {
    await clearRuns(deletion);
    await query("end-flow-deletion", "DELETE FROM flow_deletion WHERE flow_id = $1", [deletion.flowId]);
  }
  return deletions.length;
}

async function clearRuns({ flowId, workspaceId, deleteExecutions }: Deletion): Promise<void> {
  const open = await openRuns(flowId);
  for (let from = 0; from < open.length; from += cancelledAtOnce) {
    const some = open.slice(from, from + cancelledAtOnce);
    await Promise.all(some.map((id) => cancelRow(id, isoNow(), null)));
  }
  if (!deleteExecutions) return;
  for (let ids = await endedRuns(workspaceId, flowId); ids.length > 0; ids = await endedRuns(workspaceId, flowId)) {
    await deleteRows(ids);
  }
  await database().flowVersion.deleteMany({ where: { flowId } });
}

async function openRuns(flowId: string): Promise<string[]> {
  const text = "SELECT id FROM execution WHERE flow_id = $1 AND status IN ('pending', 'running')";
  return (await query<{ id: string }>("open-runs", text, [flowId])).map((row) => row.id);
}

async function endedRuns(workspaceId: string, flowId: string): Promise<string[]> {
  const text = `SELECT id FROM execution WHERE workspace_id = $1 AND flow_id = $2 AND completed_at IS NOT NULL
    LIMIT ${batchMax}`;
  return (await query<{ id: string }>("ended-runs", text, [workspaceId, flowId])).map((row) => row.id);
}

/** The database inside a transaction. */
export type Transaction = Parameters<Parameters<ReturnType<typeof database>["$transaction"]>[0]>[0];

export type LockedFlow = Awaited<ReturnType<typeof lockFlow>>;

/**
 * A flow's row, locked until the transaction ends, so that changes of one flow are serialized. Throws NOT_FOUND, and
 * CONFLICT if `ifMatch` does not match.
 */
export async function lockFlow(tx: Transaction, actor: Actor, id: string, ifMatch: string | null) {
  if (!isId("flow", id)) throw notFound("Flow");
  const locked = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM flow WHERE id = ${id} AND workspace_id = ${actor.workspaceId} FOR UPDATE`;
  if (locked.length === 0) throw notFound("Flow");
  const row = await tx.flow.findUniqueOrThrow({ where: { id } });
  requireMatch(ifMatch, row);
  return row;
}
