import { cookies } from "next/headers";
import { getToken } from "next-auth/jwt";
import { type Role, roleScopes, type Tier } from "#lib/access.ts";
import { recordChange } from "#lib/audit/record-change.ts";
import { nowMs, timeNow } from "#lib/platform/clock.ts";
import { database, query } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { newId } from "#lib/platform/ids.ts";
import type { Actor } from "./actor.ts";
import { recordUse } from "./last-use.ts";

/** A session expires after this, however much it is used. */
export const sessionSeconds = 30 * 24 * 3_600;

/** True if the site is served over TLS: cookies are then sent only over TLS. */
export function isSecureSite(): boolean {
  return env().publicUrl.startsWith("https:");
}

/** `__Host-` prevents other hosts of the same domain from setting it; it needs TLS. */
export function sessionCookieName(): string {
  return `${isSecureSite() ? "__Host-" : ""}next-auth.session-token`;
}

/** A signed-in person, with or without a workspace. */
interface SignedIn {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
}

interface Session extends SignedIn {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly timezone: string | null;
  readonly tier: Tier;
  readonly role: Role;
}

type Found = SignedIn & (Session | { readonly workspaceId: null });

// The workspace that the session switched to, if the user is still a member; otherwise the one joined first.
const findSession = `
  SELECT s.id AS "sessionId", u.id AS "userId", u.email, u.name,
    w.id AS "workspaceId", w.name AS "workspaceName", w.timezone, w.tier, m.role
  FROM session s JOIN "user" u ON u.id = s.user_id
    LEFT JOIN membership m ON m.user_id = u.id LEFT JOIN workspace w ON w.id = m.workspace_id
  WHERE s.id = $1 AND s.user_id = $2 AND s.expires_at > now()
  ORDER BY (w.id = s.workspace_id) DESC NULLS LAST, m.created_at, w.id LIMIT 1`;

type CookieValues = Readonly<Record<string, string>>;

/**
 * The session in these cookies; null if there is none. Not cached, so that an ended session and a removed member are
 * refused at once.
 */
export async function sessionOf(cookieValues: CookieValues): Promise<Session | null> {
  const found = await findBy(cookieValues);
  return found !== null && found.workspaceId !== null ? found : null;
}

/** The session of the page being rendered. */
export async function currentSession(): Promise<Session | null> {
  return await sessionOf(await ownCookies());
}

/** The person signed in on the page being rendered, with or without a workspace. */
export async function currentUser(): Promise<SignedIn | null> {
  return await findBy(await ownCookies());
}

export function actorOfSession(session: Session): Actor {
  return {
    workspaceId: session.workspaceId,
    tier: session.tier,
    scopes: new Set(roleScopes[session.role]),
    by: { kind: "user", id: session.userId, role: session.role, sessionId: session.sessionId },
  };
}

async function ownCookies(): Promise<CookieValues> {
  const all = (await cookies()).getAll();
  return Object.fromEntries(all.map(({ name, value }) => [name, value]));
}

async function findBy(cookieValues: CookieValues): Promise<Found | null> {
  // getToken reads only a request's cookies and headers.
  const request = { cookies: cookieValues, headers: {} } as Parameters<typeof getToken>[0]["req"];
  const token = await getToken({ req: request, secret: env().authSecret, cookieName: sessionCookieName() });
  if (typeof token?.sub !== "string" || typeof token.sessionId !== "string") return null;
  const [found] = await query<Found>("find-session", findSession, [token.sessionId, token.sub]);
  if (found === undefined) return null;
  recordUse("session", found.sessionId);
  return found;
}

/** How a session was started. */
export type SignInMethod = "password" | "github" | "google";

interface SessionStart {
  readonly userId: string;
  readonly method: SignInMethod;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

const userAgentCharactersMax = 400;

/** A user's sessions. One more ends the one that was used longest ago: a script may sign in for each of its calls. */
const sessionsMax = 100;

/** Starts a session in the workspace its user last used, and returns its id. Deletes that user's expired ones. */
export async function startSession({ userId, method, ip, userAgent }: SessionStart): Promise<string> {
  const id = newId("session");
  await database().$transaction(async (tx) => {
    const user = await tx.user.findUniqueOrThrow({ where: { id: userId }, include: { memberships: true } });
    const workspaceId =
      user.memberships.find((member) => member.workspaceId === user.lastWorkspaceId)?.workspaceId ??
      user.memberships[0]?.workspaceId ??
      null;
    await tx.session.deleteMany({ where: { userId, expiresAt: { lt: timeNow() } } });
    const surplus = await tx.session.findMany({
      where: { userId },
      orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
      skip: sessionsMax - 1,
      select: { id: true },
    });
    await tx.session.deleteMany({ where: { id: { in: surplus.map((session) => session.id) } } });
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
