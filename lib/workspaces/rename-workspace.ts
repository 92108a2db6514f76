import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { showWorkspace } from "./list-workspaces.ts";

/** Gives the workspace that the actor works in another name. Throws NOT_FOUND for any other. */
export async function renameWorkspace(actor: Actor, id: string, { name }: { readonly name: string }) {
  if (id !== actor.workspaceId) throw notFound("Workspace");
  await database().$transaction(async (tx) => {
    const before = await tx.workspace.findUniqueOrThrow({ where: { id } });
    await tx.workspace.update({ where: { id }, data: { name } });
    const names = { before: { name: before.name }, after: { name } };
    await recordChange(tx, actor, { action: "workspace.renamed", id, name, ...names });
  });
  return await showWorkspace(actor, id);
}
