import { type Role, roleScopes } from "#lib/access.ts";
import { recordChange } from "#lib/audit/record-change.ts";
import { type Actor, requireOwnScopes, requireUser } from "#lib/auth/actor.ts";
import type { ShownMember } from "#lib/contract/accounts/members.ts";
import type { PageAsked } from "#lib/contract/query.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { iso } from "#lib/platform/clock.ts";
import { pageOf } from "#lib/platform/database/page.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import type { PrismaClient } from "#lib/platform/prisma/client.ts";

/** The parts of a member that are read. */
const memberParts = {
  user: { select: { id: true, name: true, email: true, twoFactor: { select: { confirmedAt: true } } } },
} as const;

interface MemberRow {
  readonly role: string;
  readonly createdAt: Date;
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly twoFactor: { readonly confirmedAt: Date | null } | null;
  };
}

/** A member as the API shows it. */
function showMember({ role, createdAt, user }: MemberRow): ShownMember {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    role: role as Role,
    twoFactor: (user.twoFactor?.confirmedAt ?? null) !== null,
    joinedAt: iso(createdAt),
  };
}

/** A page of the workspace's members, in the order in which they joined. */
export async function listMembers({ workspaceId }: Actor, asked: PageAsked) {
  const where = { workspaceId };
  const { membership } = database();
  return await pageOf(asked, membership.count({ where }), async (part) => {
    const rows = await membership.findMany({
      where,
      include: memberParts,
      orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
      ...part,
    });
    return rows.map(showMember);
  });
}

/** Changes a member's role. Throws NOT_FOUND, FORBIDDEN, and INVALID_STATUS for the last owner. */
export async function updateMember(actor: Actor, userId: string, role: Role) {
  return await database().$transaction(async (tx) => {
    const before = await lockMember(tx, actor.workspaceId, userId);
    requireOwnScopes(actor, [...roleScopes[before.role], ...roleScopes[role]]);
    if (before.role !== role) {
      if (before.role === "owner") await requireOtherOwner(tx, actor.workspaceId, userId);
      await tx.membership.update({ where: keyOf(actor.workspaceId, userId), data: { role } });
      const change = { id: userId, name: before.email, before: { role: before.role }, after: { role } };
      await recordChange(tx, actor, { action: "member.role_changed", ...change });
    }
    const where = keyOf(actor.workspaceId, userId);
    return showMember(await tx.membership.findUniqueOrThrow({ where, include: memberParts }));
  });
}

/** Removes a member; what they created stays. Throws NOT_FOUND, FORBIDDEN, and INVALID_STATUS for the last owner. */
export async function removeMember(actor: Actor, userId: string): Promise<null> {
  return await removeFromWorkspace(actor, actor.workspaceId, userId);
}

/** Removes the actor from a workspace, not necessarily the current one. Throws NOT_FOUND, INVALID_STATUS. */
export async function leaveWorkspace(actor: Actor, workspaceId: string): Promise<null> {
  const { id: userId } = requireUser(actor);
  if (!isId("workspace", workspaceId)) throw notFound("Workspace");
  return await removeFromWorkspace(actor, workspaceId, userId);
}

async function removeFromWorkspace(actor: Actor, workspaceId: string, userId: string): Promise<null> {
  const isSelf = actor.by.id === userId;
  await database().$transaction(async (tx) => {
    const { role, email } = await lockMember(tx, workspaceId, userId);
    if (!isSelf) requireOwnScopes(actor, roleScopes[role]);
    if (role === "owner") await requireOtherOwner(tx, workspaceId, userId);
    await tx.membership.delete({ where: keyOf(workspaceId, userId) });
    const action = isSelf ? "member.left" : "member.removed";
    await recordChange(tx, { ...actor, workspaceId }, { action, id: userId, name: email, before: { role } });
  });
  return null;
}

interface LockedMember {
  readonly role: Role;
  readonly email: string;
}

type Transaction = Pick<PrismaClient, "$queryRaw" | "membership">;

/** The member's row, locked together with the workspace's, so that changes are serialized and one owner remains. */
async function lockMember(tx: Transaction, workspaceId: string, userId: string): Promise<LockedMember> {
  if (!isId("user", userId)) throw notFound("Member");
  await tx.$queryRaw`SELECT id FROM workspace WHERE id = ${workspaceId} FOR NO KEY UPDATE`;
  const [found] = await tx.$queryRaw<LockedMember[]>`
    SELECT m.role, u.email FROM membership m JOIN "user" u ON u.id = m.user_id
    WHERE m.workspace_id = ${workspaceId} AND m.user_id = ${userId}`;
  if (found === undefined) throw notFound("Member");
  return found;
}

async function requireOtherOwner(tx: Transaction, workspaceId: string, userId: string): Promise<void> {
  const where = { workspaceId, role: "owner", userId: { not: userId } };
  if ((await tx.membership.count({ where })) > 0) return;
  throw new AppError(
    "INVALID_STATUS",
    "The last owner cannot be removed or demoted: make somebody else an owner first",
    {
      details: { currentStatus: "last_owner" },
    },
  );
}

function keyOf(workspaceId: string, userId: string) {
  return { workspaceId_userId: { workspaceId, userId } };
}
