import { recordChange } from "#lib/audit/record-change.ts";
import type { PrismaClient } from "#lib/platform/prisma/client.ts";

export type JoinTransaction = Pick<
  PrismaClient,
  "$executeRaw" | "user" | "membership" | "invitation" | "workspace" | "session" | "identity"
>;

interface Joining {
  readonly workspaceId: string;
  readonly role: string;
}

/** Makes a user a member and lets their next session begin there. A member already keeps the role they have. */
export async function joinWorkspace(tx: JoinTransaction, { workspaceId, role }: Joining, userId: string) {
  const where = { workspaceId_userId: { workspaceId, userId } };
  if ((await tx.membership.findUnique({ where })) === null) {
    await tx.membership.create({ data: { workspaceId, userId, role } });
    const { email } = await tx.user.findUniqueOrThrow({ where: { id: userId } });
    const actor = { workspaceId, by: { kind: "user", id: userId } } as const;
    await recordChange(tx, actor, { action: "member.joined", id: userId, name: email, after: { role } });
  }
  await tx.user.update({ where: { id: userId }, data: { lastWorkspaceId: workspaceId } });
}
