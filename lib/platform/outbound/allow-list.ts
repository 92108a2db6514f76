import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { type Address, isWithin, parseAddress } from "./public-address.ts";

/** Private destinations that the operator has allowed. */
export interface AllowList {
  /** Whether the host is allowed by name, whatever it resolves to. */
  opensHost(host: string, port: number): boolean;
  opensAddress(address: string, port: number): boolean;
  /** Whether an entry names this port; entries without a port do not allow non-HTTP ports. */
  opensPort(host: string, port: number): boolean;
}

interface Entry {
  readonly port: number | undefined;
  readonly block?: [Address, number];
  readonly name?: string;
  readonly suffix?: string;
}

/**
 * Parses a list of hosts and blocks, separated by commas or spaces: `api.internal`, `api.internal:8080`, `*.internal`,
 * `10.1.0.0/16`, `127.0.0.1:4000`, `[::1]:4000`. Throws on anything else, so that a typo shows at start-up and not as a
 * refused request.
 */
export function parseAllowList(text: string): AllowList {
  const entries = text
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .map(parseEntry);
  return {
    opensHost: (host, port) => entries.some((entry) => fitsPort(entry, port) && fitsName(entry, host)),
    opensAddress: (address, port) => entries.some((entry) => fitsPort(entry, port) && fitsBlock(entry, address)),
    opensPort: (host, port) =>
      entries.some((entry) => entry.port === port && (fitsName(entry, host) || fitsBlock(entry, host))),
  };
}

function fitsPort(entry: Entry, port: number): boolean {
  return entry.port === undefined || entry.port === port;
}

function fitsName(entry: Entry, host: string): boolean {
  if (entry.suffix !== undefined) return host.endsWith(entry.suffix);
  return entry.name !== undefined && entry.name === host;
}

function fitsBlock(entry: Entry, text: string): boolean {
  const address = entry.block && parseAddress(text);
  return address !== undefined && entry.block !== undefined && isWithin(address, entry.block);
}

function parseEntry(text: string): Entry {
  if (ipaddr.isValidCIDR(text)) return { port: undefined, block: ipaddr.parseCIDR(text) };
  if (isIP(text) !== 0) return { port: undefined, block: single(text) };
  const [, host, portText] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = portText === undefined ? undefined : Number(portText);
  if (host === undefined || (port !== undefined && (port < 1 || port > 65_535))) throw invalidEntry(text);
  const bare = host.replace(/^\[|\]$/g, "");
  if (isIP(bare) !== 0) return { port, block: single(bare) };
  if (host.startsWith("*.")) return { port, suffix: `.${hostName(host.slice(2), text)}` };
  return { port, name: hostName(host, text) };
}

function single(text: string): [Address, number] {
  const address = parseAddress(text);
  if (address === undefined) throw invalidEntry(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** A name as URLs spell it, to compare with a request's host. */
function hostName(name: string, entry: string): string {
  const url = `http://${name}/`;
  if (/[/\\@?#*%]/.test(name) || !URL.canParse(url)) throw invalidEntry(entry);
  return plainHost(new URL(url).hostname);
}

function invalidEntry(text: string): Error {
  return new Error(`OUTBOUND_ALLOW: "${text}" is neither a host, host:port or *.suffix nor an address or a CIDR block`);
}

/** A URL's host without an IPv6 address's brackets and without a trailing dot. */
export function plainHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}
