import { recordChange } from "#lib/audit/record-change.ts";
import { type Actor, requireUser } from "#lib/auth/actor.ts";
import type { ShownSession } from "#lib/contract/accounts/account.ts";
import { notFound } from "#lib/errors.ts";
import { iso, timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";

/** The actor's sessions, last used first. */
export async function listSessions(actor: Actor): Promise<ShownSession[]> {
  const { id: userId, sessionId } = requireUser(actor);
  const rows = await database().session.findMany({
    where: { userId, expiresAt: { gt: timeNow() } },
    orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
    take: 100,
  });
  return rows.map((row) => ({
    id: row.id,
    current: row.id === sessionId,
    method: row.method,
    ip: row.ip,
    userAgent: row.userAgent,
    createdAt: iso(row.createdAt),
    lastSeenAt: iso(row.lastSeenAt),
    expiresAt: iso(row.expiresAt),
  }));
}

/** Ends one of the actor's sessions. Throws NOT_FOUND. */
export async function endSession(actor: Actor, id: string): Promise<null> {
  const { id: userId } = requireUser(actor);
  if (!isId("session", id)) throw notFound("Session");
  await database().$transaction(async (tx) => {
    const { count } = await tx.session.deleteMany({ where: { id, userId } });
    if (count === 0) throw notFound("Session");
    await recordChange(tx, actor, { action: "session.ended", id });
  });
  return null;
}

/** How many are ended in one transaction, each with its entry in the audit log. */
const endedAtOnce = 100;

/** Ends all of the actor's sessions but this one. */
export async function endOtherSessions(actor: Actor): Promise<{ ended: number }> {
  const { id: userId, sessionId } = requireUser(actor);
  let ended = 0;
  for (;;) {
    const count = await database().$transaction(async (tx) => {
      const where = { userId, id: { not: sessionId } };
      const others = await tx.session.findMany({ where, select: { id: true }, take: endedAtOnce });
      for (const { id } of others) await recordChange(tx, actor, { action: "session.ended", id });
      return (await tx.session.deleteMany({ where: { id: { in: others.map(({ id }) => id) } } })).count;
    });
    if (count === 0) return { ended };
    ended += count;
  }
}

/** Ends the session at sign-out. Does nothing if it has already ended. */
export async function signOut(userId: string, sessionId: string): Promise<void> {
  await database().$transaction(async (tx) => {
    const session = await tx.session.findFirst({ where: { id: sessionId, userId } });
    if (session === null) return;
    await tx.session.deleteMany({ where: { id: sessionId } });
    if (session.workspaceId === null) return;
    const actor = { workspaceId: session.workspaceId, by: { kind: "user", id: userId } } as const;
    await recordChange(tx, actor, { action: "session.ended", id: sessionId });
  });
}
