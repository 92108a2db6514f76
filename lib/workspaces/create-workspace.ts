import { recordChange } from "#lib/audit/record-change.ts";
import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { showWorkspace } from "./list-workspaces.ts";
import { newWorkspace } from "./new-user.ts";
import { enterWorkspace } from "./switch-workspace.ts";

/** Makes a workspace of which the actor is the owner, and goes there. Throws FORBIDDEN (`details.required`: owner). */
export async function createWorkspace(actor: Actor, { name }: { readonly name: string }) {
  const { id: userId, sessionId } = requireUser(actor);
  const id = await database().$transaction(async (tx) => {
    const owned = await tx.membership.count({ where: { userId, role: "owner" } });
    if (owned === 0 && env().signUp !== "open") {
      throw new AppError("FORBIDDEN", "Only owners of a workspace make new ones here", {
        details: { required: "owner" },
      });
    }
    const made = await newWorkspace(tx, name, env().defaultTier, userId);
    await recordChange(tx, { ...actor, workspaceId: made }, { action: "workspace.created", id: made, name });
    await enterWorkspace(tx, { userId, sessionId, workspaceId: made });
    return made;
  });
  return await showWorkspace(actor, id);
}
