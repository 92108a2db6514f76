import { env, type Settings } from "#lib/platform/env.ts";

/** What a request asks for: what starts and resumes flows, what both hosts answer, or anything else. */
export type Asked = "trigger" | "both" | "app";

/** The answer at the wrong host; the receiving layer formats it. */
interface Misdirected {
  readonly status: 308 | 404;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly success: false;
    readonly error: { readonly code: "NOT_FOUND"; readonly message: string };
  };
}

type Hosts = Pick<Settings, "publicUrl" | "triggerOrigin" | "trustedProxies">;

/** What decides about a request, besides its target. */
interface Received {
  readonly method: string;
  header(name: string): string | null | undefined;
}

/**
 * The one place that decides what is served where. With TRIGGER_ORIGIN, its host serves what starts and resumes flows,
 * and nothing else; every other host serves the rest, and leads to it for those: a flow's answer never comes from the
 * origin where people are signed in. Null when the request is at the right host, and always without TRIGGER_ORIGIN.
 */
export function misdirected(
  received: Received,
  target: string,
  kind?: Asked,
  hosts: Hosts = env(),
): Misdirected | null {
  const { triggerOrigin } = hosts;
  if (triggerOrigin === undefined) return null;
  const asked = kind ?? askedBy(target);
  if (asked === "both") return null;
  const isThere = isTriggerHost(received, triggerOrigin, hosts);
  if (isThere === (asked === "trigger")) return null;
  // A browser asks this before it sends a request that is then led on, and takes no redirect for an answer.
  if (!isThere && received.method === "OPTIONS") return null;
  if (isThere) return refusal(404, "Only trigger URLs and the addresses of waiting steps are served here");
  // A client that follows keeps method and body, so that URLs from before TRIGGER_ORIGIN was set keep working.
  const headers = { location: triggerOrigin + pathOf(target), "access-control-allow-origin": "*" };
  return refusal(308, `Trigger URLs and the addresses of waiting steps are served at ${triggerOrigin}`, headers);
}

function refusal(status: 308 | 404, message: string, headers: Record<string, string> = {}): Misdirected {
  return {
    status,
    headers: { "cache-control": "no-store", ...headers },
    body: { success: false, error: { code: "NOT_FOUND", message } },
  };
}

// Paths are matched as the router may: percent-decoded, and below `/v1` in any case.
const triggerPath = /^\/(?:api\/)?v1\/(?:webhooks\/hook_[^/]*|resume\/[^/]*)\/?$/i;

/** The font of the forms' pages. */
export const formFont = "/form-font";

function askedBy(target: string): Asked {
  const [path = ""] = pathOf(target).split(/[?#]/, 1);
  if (triggerPath.test(decoded(path))) return "trigger";
  return path === "/api/health" || path === formFont ? "both" : "app";
}

/** Path and query of what may be a whole address. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, "");
  return path.startsWith("/") ? path : `/${path}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Whether the client asked for the host of TRIGGER_ORIGIN. `Host` decides where it names one of the two. A proxy may
 * have put a name of its own there: then `X-Forwarded-Host` tells, where proxies are trusted, and of its entries the
 * one that the outermost of them wrote.
 */
function isTriggerHost(received: Received, triggerOrigin: string, { publicUrl, trustedProxies }: Hosts): boolean {
  const host = received.header("host");
  if (isHostOf(host, triggerOrigin)) return true;
  if (trustedProxies === 0 || isHostOf(host, publicUrl)) return false;
  const told = received.header("x-forwarded-host")?.split(",") ?? [];
  return isHostOf(told.at(-trustedProxies) ?? told[0], triggerOrigin);
}

/**
 * Compares as browsers do for cookies: in any case, whatever the port, and without the dot that may end a full name.
 * Many a proxy leaves the port out of `Host`.
 */
function isHostOf(named: string | null | undefined, origin: string): boolean {
  const url = `http://${named?.trim().replace(/\.(?=:\d*$|$)/, "") ?? ""}/`;
  if (!URL.canParse(url)) return false;
  const { href, host, hostname } = new URL(url);
  return href === `http://${host}/` && hostname === new URL(origin).hostname;
}
