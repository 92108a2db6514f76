import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Addresses that look public but belong to the host's network: Azure's host agent. */
const insideAlthoughPublic = [ipaddr.parseCIDR("168.63.129.16/32")] as const;

/** The only part of IPv6 assigned to the public internet; it excludes `::/96`, NAT64 and all tunnel blocks. */
const globalIpv6 = ipaddr.parseCIDR("2000::/3");

const mappedIpv4 = ipaddr.IPv6.parseCIDR("::ffff:0:0/96");

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Parses an address, with IPv4-mapped IPv6 (`::ffff:10.0.0.1`) as IPv4; undefined if it is not an address. */
export function parseAddress(text: string): Address | undefined {
  if (isIP(text) === 4) return ipaddr.IPv4.parse(text);
  if (isIP(text) !== 6) return undefined;
  const address = ipaddr.IPv6.parse(inHex(text));
  return address.match(mappedIpv4) ? address.toIPv4Address() : address;
}

/** `::8.8.8.8` as `::808:808`: ipaddr.js reads the dotted form as the mapped `::ffff:8.8.8.8`, a different address. */
function inHex(text: string): string {
  const withoutZone = text.replace(/%.*$/, "");
  return new URL(`http://[${withoutZone}]/`).hostname.slice(1, -1);
}

/** Whether an address is in a block; blocks of the other family contain nothing. */
export function isWithin(address: Address, block: [Address, number]): boolean {
  return address.kind() === block[0].kind() && address.match(block);
}

/** Whether an address belongs to the public internet. If in doubt, it does not. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === undefined || address.range() !== "unicast") return false;
  if (address.kind() === "ipv6" && !isWithin(address, globalIpv6)) return false;
  return !insideAlthoughPublic.some((block) => isWithin(address, block));
}

/**
 * An IPv6 address's /64 network: one client usually has all 2^64 addresses of it. An IPv4 address in IPv6 form
 * (`::ffff:192.0.2.1`) counts as that IPv4 address.
 */
export function networkOf(ip: string): string {
  const address = parseAddress(ip);
  if (address === undefined) return ip;
  if (!("parts" in address)) return address.toString();
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}
