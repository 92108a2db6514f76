import { type Actor, requireUser } from "#lib/auth/actor.ts";
import type { ShownSession } from "#lib/contract/account.ts";
import { iso, timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";

/** Where the actor is signed in, last used first. */
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
