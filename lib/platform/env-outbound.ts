// OUTBOUND_ALLOW: host names, addresses and CIDR blocks, separated by commas.
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
    message: "must be host names, addresses and CIDR blocks such as db.internal,127.0.0.1,10.0.0.0/8",
  });
  return z.NEVER;
});

function isHostOrBlock(entry: string): boolean {
  if (entry.includes("/")) return ipaddr.isValidCIDR(entry) && isHostOrBlock(entry.split("/")[0] ?? "");
  if (entry.includes(":")) return ipaddr.IPv6.isValid(entry);
  // A name whose last label is a number is read as an IPv4 address by every client, and must then be a whole one.
  if (/(^|\.)(\d+|0x[0-9a-f]*)$/.test(entry)) return ipaddr.IPv4.isValidFourPartDecimal(entry);
  return labels.test(entry);
}
