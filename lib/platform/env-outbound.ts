// OUTBOUND_ALLOW: hosts and addresses, with a port or without, `*.suffix` and CIDR blocks, separated by commas. What they
// mean is parseAllowList's to say; here a mistake is found before the server starts.
import ipaddr from "ipaddr.js";
import { z } from "zod";

const labels = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/;

export const outboundAllow = z.string().transform((value, context) => {
  const entries = value
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean);
  if (entries.every(isHostOrBlock)) return Object.freeze(entries);
  context.addIssue({
    code: "custom",
    message: "must be hosts, addresses and CIDR blocks such as db.internal:8080,*.corp.internal,127.0.0.1,10.0.0.0/8",
  });
  return z.NEVER;
});

function isHostOrBlock(entry: string): boolean {
  if (entry.includes("/")) return ipaddr.isValidCIDR(entry) && isAddress(entry.split("/")[0] ?? "");
  if (isAddress(entry)) return true;
  const [, host = "", port] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false;
  if (host.startsWith("[")) return ipaddr.IPv6.isValid(host.slice(1, -1));
  return isAddress(host) || isName(host.replace(/^\*\./, ""));
}

function isAddress(text: string): boolean {
  return text.includes(":") ? ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text);
}

/** A name whose last label is a number is read as an IPv4 address by every client, and must then be a whole one. */
function isName(text: string): boolean {
  return labels.test(text) && !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(text);
}
