import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { WorkspaceChanges } from "#lib/contract/workspaces.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import type { WorkspaceModel } from "#lib/platform/prisma/models.ts";
import { showWorkspace } from "./list-workspaces.ts";

/** Changes the fields that were sent of the workspace that the actor works in. Throws NOT_FOUND for any other. */
export async function updateWorkspace(actor: Actor, id: string, changes: WorkspaceChanges) {
  if (id !== actor.workspaceId) throw notFound("Workspace");
  const data = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  await database().$transaction(async (tx) => {
    const before = await tx.workspace.findUniqueOrThrow({ where: { id } });
    const after = await tx.workspace.update({ where: { id }, data });
    const action = before.name === after.name ? "workspace.updated" : "workspace.renamed";
    await recordChange(tx, actor, { action, id, name: after.name, before: told(before), after: told(after) });
  });
  return await showWorkspace(actor, id);
}

function told({ name, retentionDays, timezone }: WorkspaceModel) {
  return { name, retentionDays, timezone };
}
