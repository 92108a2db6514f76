import { env, type Settings } from "#lib/platform/env.ts";

/** What a request is for: a trigger or resume URL, something that both hosts serve, or the app. */
export type Audience = "trigger" | "both" | "app";

/** The answer to a request at the wrong host; the receiving layer formats it. */
interface Misdirected {
  readonly status: 308 | 404;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly success: false;
    readonly error: { readonly code: "NOT_FOUND"; readonly message: string };
  };
}

type Hosts = Pick<Settings, "publicUrl" | "triggerOrigin" | "trustedProxies">;

/** The parts of a request that decide, besides its target. */
interface Received {
  readonly method: string;
  header(name: string): string | null | undefined;
}

/**
 * Decides what is served at which host. With TRIGGER_ORIGIN, its host serves only trigger and resume URLs; other hosts
 * serve everything else, and redirect those to it, so that a flow's answer never comes from the origin where people are
 * signed in. Null if the request is at the right host, and always without TRIGGER_ORIGIN.
 */
export function misdirected(
  received: Received,
  target: string,
  given?: Audience,
  hosts: Hosts = env(),
): Misdirected | null {
  const { triggerOrigin } = hosts;
  if (triggerOrigin === undefined) return null;
  const audience = given ?? audienceOf(target);
  if (audience === "both") return null;
  const isTriggerOrigin = isTriggerHost(received, triggerOrigin, hosts);
  if (isTriggerOrigin === (audience === "trigger")) return null;
  // A browser's preflight comes before the redirect, and browsers do not follow redirects of preflights.
  if (!isTriggerOrigin && received.method === "OPTIONS") return null;
  if (isTriggerOrigin) return refusal(404, "Only trigger URLs and the addresses of waiting steps are served here");
  // 308 keeps method and body, so that URLs from before TRIGGER_ORIGIN was set keep working.
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

// Matched as loosely as the router may: percent-decoded, and ignoring case.
const triggerPath = /^\/(?:api\/)?v1\/(?:webhooks\/hook_[^/]*|resume\/[^/]*)\/?$/i;

/** The font of the forms' pages. */
export const formFont = "/form-font";

function audienceOf(target: string): Audience {
  const [path = ""] = pathOf(target).split(/[?#]/, 1);
  if (triggerPath.test(decoded(path))) return "trigger";
  return path === "/api/health" || path === formFont ? "both" : "app";
}

/** Path and query of a target, which may be an absolute URL. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, "");
  return path.startsWith("/") ? path : `/${path}`;
}

/** Percent-decoded; text with a malformed escape stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Whether the client requested the host of TRIGGER_ORIGIN. `Host` decides if it names one of the two. A proxy may have
 * replaced it: then the entry of `X-Forwarded-Host` that the outermost trusted proxy wrote decides.
 */
function isTriggerHost(received: Received, triggerOrigin: string, { publicUrl, trustedProxies }: Hosts): boolean {
  const host = received.header("host");
  if (isHostOf(host, triggerOrigin)) return true;
  if (trustedProxies === 0 || isHostOf(host, publicUrl)) return false;
  const forwarded = received.header("x-forwarded-host")?.split(",") ?? [];
  return isHostOf(forwarded.at(-trustedProxies) ?? forwarded[0], triggerOrigin);
}

/**
 * Compares as browsers do for cookies: ignoring case, the port, and a trailing dot. Many proxies leave the port out of
 * `Host`.
 */
function isHostOf(named: string | null | undefined, origin: string): boolean {
  const url = `http://${named?.trim().replace(/\.(?=:\d*$|$)/, "") ?? ""}/`;
  if (!URL.canParse(url)) return false;
  const { href, host, hostname } = new URL(url);
  return href === `http://${host}/` && hostname === new URL(origin).hostname;
}
