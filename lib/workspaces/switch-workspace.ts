import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import type { PrismaClient } from "#lib/platform/prisma/client.ts";
import { showWorkspace } from "./list-workspaces.ts";

/** Lets the actor's session work in another of their workspaces. Throws NOT_FOUND. */
export async function switchWorkspace(actor: Actor, workspaceId: string) {
  const { id: userId, sessionId } = requireUser(actor);
  if (!isId("workspace", workspaceId)) throw notFound("Workspace");
  const where = { workspaceId_userId: { workspaceId, userId } };
  if ((await database().membership.findUnique({ where })) === null) throw notFound("Workspace");
  await database().$transaction((tx) => enterWorkspace(tx, { userId, sessionId, workspaceId }));
  return await showWorkspace(actor, workspaceId);
}

interface Entering {
  readonly userId: string;
  readonly sessionId: string;
  readonly workspaceId: string;
}

/** This session works there from its next request on, and so does the next one that begins. */
export async function enterWorkspace(
  tx: Pick<PrismaClient, "session" | "user">,
  { userId, sessionId, workspaceId }: Entering,
): Promise<void> {
  await tx.session.updateMany({ where: { id: sessionId, userId }, data: { workspaceId } });
  await tx.user.update({ where: { id: userId }, data: { lastWorkspaceId: workspaceId } });
}
