import type { Actor } from "#lib/auth/actor.ts";
import { authenticateKey } from "#lib/auth/authenticate-key.ts";
import { requireFirstWorkspace } from "#lib/auth/first-workspace.ts";
import { actorOfSession, sessionOf } from "#lib/auth/session.ts";
import { AppError } from "#lib/errors.ts";
import { env } from "#lib/platform/env.ts";
import { singleton } from "#lib/platform/singleton.ts";

/**
 * The request's caller: an API key in `Authorization`, otherwise the browser's session. Throws UNAUTHORIZED, FORBIDDEN,
 * and SERVICE_UNAVAILABLE while the first workspace, and with it the key, may be missing.
 */
export async function authenticate(request: Request): Promise<Actor> {
  const authorization = request.headers.get("authorization");
  if (authorization !== null) return await actorOfKey(authorization);
  const session = await sessionOf(cookiesOf(request.headers.get("cookie") ?? ""));
  if (session === null) throw unauthorized("An API key is required: Authorization: Bearer <key>");
  if (request.method !== "GET" && request.method !== "HEAD" && !isSameOrigin(request)) {
    throw new AppError("FORBIDDEN", "A session is accepted from this site's own pages only", {
      details: { required: "same-origin" },
    });
  }
  return actorOfSession(session);
}

async function actorOfKey(authorization: string): Promise<Actor> {
  const key = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  const actor = key === undefined ? null : await authenticateKey(key);
  if (actor === null) throw unauthorized("The API key is not valid");
  return actor;
}

function unauthorized(message: string): AppError {
  requireFirstWorkspace();
  return new AppError("UNAUTHORIZED", message);
}

/** A foreign page can make a browser send its cookies, but not this site's `Origin`. */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  const origin = request.headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  const own = [new URL(env().publicUrl).host, request.headers.get("host")];
  return own.includes(new URL(origin).host);
}

/**
 * The caller's IP address; null if no header can be trusted. Our own server rewrites the header; behind another server,
 * it has what proxies appended to whatever the client sent.
 */
export function callerAddress(forwardedFor: string | null | undefined): string | null {
  const { trustedProxies } = env();
  const isOurs = singleton<{ ready?: () => void }>("server", () => ({})).ready !== undefined;
  if (!isOurs && trustedProxies === 0) return null;
  return (
    forwardedFor
      ?.split(",")
      .at(isOurs ? 0 : -trustedProxies)
      ?.trim() || null
  );
}

function cookiesOf(header: string): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null);
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (at > 0) cookies[part.slice(0, at).trim()] = decodeCookie(part.slice(at + 1).trim());
  }
  return cookies;
}

function decodeCookie(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
