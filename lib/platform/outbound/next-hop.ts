import { OutboundError } from "./outbound-error.ts";

/** The limit of DNS. */
const hostCharactersMax = 253;

/**
 * Parses a URL once, exactly as it will be connected to. Refuses user names and passwords: URLs are shown in many
 * places, and a credential keeps secrets out of them.
 */
export function checkUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (url === undefined) throw new OutboundError("BAD_URL", "The URL is not a complete http:// or https:// address");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new OutboundError("BAD_URL", `The URL must start with http:// or https://, not ${url.protocol.slice(0, 20)}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutboundError("BAD_URL", "The URL carries a user name or password; use a basic credential instead");
  }
  if (url.hostname.length > hostCharactersMax) {
    throw new OutboundError("BAD_URL", `The URL's host is longer than ${hostCharactersMax} characters`);
  }
  url.hash = "";
  return url;
}

/** Text, or bytes of a known length that can be produced again for each request. */
export type OutboundBody = string | { readonly bytes: number; readonly open: () => AsyncIterable<Uint8Array> };

/** One request of an exchange; redirects add further ones. */
export interface Hop {
  readonly method: string;
  readonly url: URL;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: OutboundBody | undefined;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

export function isRedirect(status: number): boolean {
  return redirectStatuses.has(status);
}

/**
 * The request after a redirect, by the rules of fetch: which methods become GET, and which headers another origin may
 * not see.
 */
export function nextHop(hop: Hop, status: number, location: string, secretHeaders: ReadonlySet<string>): Hop {
  const url = redirectTarget(location, hop.url);
  const headers = new Map(hop.headers);
  if (url.origin !== hop.url.origin) {
    for (const name of ["authorization", "cookie", ...secretHeaders]) headers.delete(name);
  }
  if (!becomesGet(hop.method, status)) return { ...hop, url, headers };
  for (const name of headers.keys()) {
    if (name.startsWith("content-")) headers.delete(name);
  }
  return { method: "GET", url, headers, body: undefined };
}

function becomesGet(method: string, status: number): boolean {
  if (status === 303) return method !== "GET" && method !== "HEAD";
  return (status === 301 || status === 302) && method === "POST";
}

function redirectTarget(location: string, from: URL): URL {
  try {
    return checkUrl(location, from);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new OutboundError(error.code, `Redirected from ${from.host} to a refused address. ${error.message}`);
  }
}
