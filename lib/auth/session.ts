import { cookies } from "next/headers";
import { getToken } from "next-auth/jwt";
import { type Role, roleScopes, type Tier } from "#lib/access.ts";
import { query } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import type { Actor } from "./actor.ts";

export interface Session {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly tier: Tier;
  readonly role: Role;
}

const findMember = `
  SELECT u.id AS "userId", u.email, u.name, w.id AS "workspaceId", w.name AS "workspaceName", w.tier, m.role
  FROM "user" u JOIN membership m ON m.user_id = u.id JOIN workspace w ON w.id = m.workspace_id
  WHERE u.id = $1 ORDER BY m.created_at, w.id LIMIT 1`;

/** The session in these cookies; null without one. The account is looked up each time: a removed member is out at once. */
export async function sessionOf(cookieValues: Readonly<Record<string, string>>): Promise<Session | null> {
  const secureCookie = env().publicUrl.startsWith("https:");
  // getToken reads nothing of a request but its cookies and headers.
  const request = { cookies: cookieValues, headers: {} } as Parameters<typeof getToken>[0]["req"];
  const token = await getToken({ req: request, secret: env().authSecret, secureCookie });
  if (typeof token?.sub !== "string") return null;
  const [member] = await query<Session>("find-member", findMember, [token.sub]);
  return member ?? null;
}

/** The session of the page that is being rendered. */
export async function currentSession(): Promise<Session | null> {
  const all = (await cookies()).getAll();
  return sessionOf(Object.fromEntries(all.map(({ name, value }) => [name, value])));
}

export function actorOfSession(session: Session): Actor {
  return {
    workspaceId: session.workspaceId,
    tier: session.tier,
    scopes: new Set(roleScopes[session.role]),
    by: { kind: "user", id: session.userId, role: session.role },
  };
}
