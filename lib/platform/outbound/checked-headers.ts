import { OutboundError } from "./outbound-error.ts";

/** Headers that decide how the message is framed or routed: set by this module, or never sent. */
const forbiddenNames = new Set([
  "host",
  "transfer-encoding",
  "content-length",
  "connection",
  "upgrade",
  "te",
  "trailer",
  "keep-alive",
  "expect",
]);

const validName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const validValue = /^[\t\x20-\x7e\x80-\xff]*$/;

const defaults: readonly [string, string][] = [
  ["accept", "*/*"],
  ["accept-encoding", "gzip, deflate, br"],
  ["user-agent", "Millrace"],
];

/** The headers to send: lowercase, without duplicates, plus those of every request. */
export function checkHeaders(headers: Readonly<Record<string, string>>): Map<string, string> {
  const checked = new Map(defaults);
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!validName.test(name)) {
      throw new OutboundError("BAD_HEADER", `${JSON.stringify(name.slice(0, 100))} is not a header's name`);
    }
    if (forbiddenNames.has(lower) || lower.startsWith("proxy-")) {
      throw new OutboundError("BAD_HEADER", `The header ${name} cannot be set: the connection itself decides it`);
    }
    if (!validValue.test(value)) {
      throw new OutboundError(
        "BAD_HEADER",
        `The header ${name} has a character that headers cannot carry: a line break, a control character or one outside Latin-1`,
      );
    }
    checked.set(lower, value);
  }
  return checked;
}
