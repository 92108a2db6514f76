import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { cancelRow } from "#lib/executions/cancel-execution.ts";
import { deleteRows } from "#lib/executions/delete-execution.ts";
import { database, query } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";

const batchMax = 1_000;

/**
 * Deletes a flow for good: no new run can start, what is running is cancelled. With `deleteExecutions` its records go
 * too; otherwise they stay, with the versions that they ran. Throws NOT_FOUND.
 */
export async function deleteFlow(actor: Actor, id: string, deleteExecutions: boolean): Promise<null> {
  if (!isId("flow", id)) throw notFound("Flow");
  await database().$transaction(async (tx) => {
    const where = { id, workspaceId: actor.workspaceId };
    const found = await tx.flow.findFirst({ where });
    const { count } = await tx.flow.deleteMany({ where });
    if (found === null || count === 0) throw notFound("Flow");
    await recordChange(tx, actor, { action: "flow.deleted", id, name: found.name, after: { deleteExecutions } });
  });
  for (const executionId of await openRuns(id)) await cancelRow(executionId, new Date().toISOString(), null);
  if (!deleteExecutions) return null;
  for (let ids = await endedRuns(id); ids.length > 0; ids = await endedRuns(id)) await deleteRows(ids);
  await database().flowVersion.deleteMany({ where: { flowId: id } });
  await database().executionRollup.deleteMany({ where: { flowId: id } });
  return null;
}

async function openRuns(flowId: string): Promise<string[]> {
  const text = "SELECT id FROM execution WHERE flow_id = $1 AND status IN ('pending', 'running')";
  return (await query<{ id: string }>("open-runs", text, [flowId])).map((row) => row.id);
}

async function endedRuns(flowId: string): Promise<string[]> {
  const text = `SELECT id FROM execution WHERE flow_id = $1 AND status NOT IN ('pending', 'running') LIMIT ${batchMax}`;
  return (await query<{ id: string }>("ended-runs", text, [flowId])).map((row) => row.id);
}
