import { OutboundError } from "./outbound-error.ts";

/** Longer names do not exist in DNS. */
const hostCharactersMax = 253;

/**
 * Parses a URL once, the way it will be connected to. User names and passwords are refused instead of sent or dropped:
 * a URL is shown in many places, and a credential keeps the same secret out of all of them.
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
