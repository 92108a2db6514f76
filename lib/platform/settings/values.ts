// The types of settings. A message completes a sentence that begins with the setting's name.

import ipaddr from "ipaddr.js";
import { z } from "zod";

export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, { error })
    .transform(Number)
    .pipe(z.number().min(min, { error }).max(max, { error }));
}

export function text(charactersMin: number, charactersMax?: number) {
  const schema = z.string().min(charactersMin, { error: `must have ${charactersMin} characters or more` });
  return charactersMax
    ? schema.max(charactersMax, { error: `must have ${charactersMax} characters or fewer` })
    : schema;
}

export function choice<const Names extends readonly [string, ...string[]]>(...names: Names) {
  const quoted = names.map((name) => `"${name}"`);
  return z.enum(names, { error: `must be ${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}` });
}

export function httpUrl(error: string, only?: "origin") {
  return z.string().transform((value, context) => {
    const url = parse(value);
    const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
    if (url && isWeb && (!only || (url.href === `${url.origin}/` && !/[?#]/.test(value)))) {
      return only ? url.origin : value.replace(/\/+$/, "");
    }
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });
}

export const postgresUrl = z
  .string()
  .transform(withHost)
  .refine((value) => /^postgres(ql)?:\/\/./.test(value) && parse(value) !== undefined, {
    error: "must be an address such as postgresql://user:password@host:5432/database",
  })
  .transform(withVerifiedTls);

/** libpq's form for a socket, `user@/database?host=/run/postgresql`, has no host, which URLs require. */
function withHost(url: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=\/[^?#]*\?(?:[^#]*&)?host=)/, "$1localhost");
}

/**
 * The driver treats `prefer`, `require` and `verify-ca` as `verify-full`, and warns that this will change, so this
 * makes it explicit. For libpq's weaker meanings, add `uselibpqcompat=true`.
 */
function withVerifiedTls(url: string): string {
  if (/[?&]uselibpqcompat=true(&|$)/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}

export const smtpUrl = z.string().refine((value) => /^smtps?:\/\/./.test(value) && parse(value)?.hostname, {
  error: "must be an address such as smtps://user:password@mail.example.com:465",
});

function parse(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined;
}

// OUTBOUND_ALLOW: hosts and addresses, with or without a port, `*.suffix` and CIDR blocks, separated by commas. Finds
// mistakes before the server starts; `parseAllowList` interprets the list.

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

/** Every client reads a name whose last label is a number as an IPv4 address, so it must be a valid one. */
function isName(text: string): boolean {
  return labels.test(text) && !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(text);
}
