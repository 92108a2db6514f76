import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { cancelRow } from "#lib/executions/cancel-execution.ts";
import { deleteRows } from "#lib/executions/delete-execution.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { database, query } from "#lib/platform/database.ts";
import { lockFlow } from "./lock-flow.ts";

interface Wish {
  readonly deleteExecutions: boolean;
  /** An ETag: only this version is deleted. */
  readonly ifMatch: string | null;
}

const batchMax = 1_000;

/**
 * Deletes a flow for good: no new run can start, what is running is cancelled. With `deleteExecutions` its records go
 * too; otherwise they stay, with the versions that they ran. Throws NOT_FOUND, and CONFLICT by `ifMatch`.
 */
export async function deleteFlow(actor: Actor, id: string, { deleteExecutions, ifMatch }: Wish): Promise<null> {
  await database().$transaction(async (tx) => {
    const { name } = await lockFlow(tx, actor, id, ifMatch);
    await tx.flow.delete({ where: { id } });
    await recordChange(tx, actor, { action: "flow.deleted", id, name, after: { deleteExecutions } });
  });
  for (const executionId of await openRuns(id)) await cancelRow(executionId, isoNow(), null);
  if (!deleteExecutions) return null;
  const { workspaceId } = actor;
  for (let ids = await endedRuns(workspaceId, id); ids.length > 0; ids = await endedRuns(workspaceId, id)) {
    await deleteRows(ids);
  }
  await database().flowVersion.deleteMany({ where: { flowId: id } });
  return null;
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
