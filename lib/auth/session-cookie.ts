import { env } from "#lib/platform/env.ts";

/** A session ends after this, however much it is used. */
export const sessionSeconds = 30 * 24 * 3_600;

/** True where the site is reached over TLS: cookies are then sent over nothing else. */
export function isSecureSite(): boolean {
  return env().publicUrl.startsWith("https:");
}

/** `__Host-` keeps neighbours under the same domain from setting one; it needs TLS. */
export function sessionCookieName(): string {
  return `${isSecureSite() ? "__Host-" : ""}next-auth.session-token`;
}
