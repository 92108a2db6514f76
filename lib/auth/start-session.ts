import { recordChange } from "#lib/audit/record-change.ts";
import { nowMs, timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { sessionSeconds } from "./session-cookie.ts";

/** How a session was begun. */
export type SignInMethod = "password" | "github" | "google";

export interface SessionStart {
  readonly userId: string;
  readonly method: SignInMethod;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

const userAgentCharactersMax = 400;

/** Begins a session where its user worked last, and gives its id. What has expired of that user's goes. */
export async function startSession({ userId, method, ip, userAgent }: SessionStart): Promise<string> {
  const id = newId("session");
  await database().$transaction(async (tx) => {
    const user = await tx.user.findUniqueOrThrow({ where: { id: userId }, include: { memberships: true } });
    const workspaceId =
      user.memberships.find((member) => member.workspaceId === user.lastWorkspaceId)?.workspaceId ??
      user.memberships[0]?.workspaceId ??
      null;
    await tx.session.deleteMany({ where: { userId, expiresAt: { lt: timeNow() } } });
    await tx.session.create({
      data: {
        id,
        userId,
        workspaceId,
        method,
        ip,
        userAgent: userAgent?.toWellFormed().slice(0, userAgentCharactersMax) ?? null,
        expiresAt: new Date(nowMs() + sessionSeconds * 1_000),
      },
    });
    if (workspaceId === null) return;
    const actor = { workspaceId, by: { kind: "user", id: userId }, request: { id, ip } } as const;
    await recordChange(tx, actor, { action: "session.started", id, after: { method } });
  });
  return id;
}
