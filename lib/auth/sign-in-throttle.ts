import { createHash } from "node:crypto";
import { AppError } from "#lib/errors.ts";
import { query } from "#lib/platform/database.ts";

/** Failures in a row that cost nothing. */
const freeFailures = { pair: 5, account: 20, address: 50, entry: 30 } as const;
type Kind = keyof typeof freeFailures;

/** The longest that anyone waits for the next attempt; the waits before it double. */
const waitSecondsMax = 60;
/** After this long without a failure the count begins anew. */
const forgetSeconds = 900;

// One statement counts the attempt and says whether it may be made, so that attempts at once do not slip past each
// other. What may not be made is not counted: waiting ends, however often one tries meanwhile.
const attempt = `
  INSERT INTO sign_in_failure AS f (key, failures, last_at) VALUES ($1, 1, clock_timestamp())
  ON CONFLICT (key) DO UPDATE SET last_at = clock_timestamp(),
    failures = CASE WHEN f.last_at < now() - ${forgetSeconds} * interval '1 second' THEN 1 ELSE f.failures + 1 END
  WHERE f.failures < $2
    OR f.last_at + least(${waitSecondsMax}, 2 ^ least(f.failures - $2, 10)) * interval '1 second' <= clock_timestamp()
  RETURNING failures`;
const isKnownAddress = `
  SELECT 1 AS known FROM session s JOIN "user" u ON u.id = s.user_id WHERE u.email = $1 AND s.ip = $2 LIMIT 1`;
const forget = "DELETE FROM sign_in_failure WHERE key = $1";
const giveBack = "UPDATE sign_in_failure SET failures = greatest(failures - 1, 0) WHERE key = ANY($1::text[])";
const sweep = `DELETE FROM sign_in_failure WHERE last_at < now() - ${2 * forgetSeconds} * interval '1 second'`;

/** An attempt to sign in that may be made. It counts as a failure unless one of these is called. */
export interface Attempt {
  /** It was right: the failures before it from the same address are forgotten. */
  succeed(): Promise<void>;
  /** It was neither: the failures before it stay. */
  takeBack(): Promise<void>;
}

/**
 * Counts an attempt to sign in by account and address, by account, and by address; null when one of them has to wait,
 * which is never longer than a minute. Where somebody guesses at an account from many addresses, its owner is not
 * shut out: an address from which the account is signed in is counted for itself.
 */
export async function attemptSignIn(email: string, ip: string | null): Promise<Attempt | null> {
  const address = networkOf(ip ?? "unknown");
  const keys = {
    pair: keyOf("pair", `${email} ${address}`),
    address: keyOf("address", address),
    account: keyOf("account", email),
  };
  const known = ip !== null && (await query("known-address", isKnownAddress, [email, ip])).length > 0;
  const counted = (known ? ["pair"] : ["pair", "address", "account"]) as (keyof typeof keys)[];
  for (const kind of counted) {
    const rows = await query("attempt-sign-in", attempt, [keys[kind], freeFailures[kind]]);
    if (rows.length === 0) return null;
  }
  const takeBack = async () => {
    await query("give-back-failures", giveBack, [counted.map((kind) => keys[kind])]);
  };
  const succeed = async () => {
    await takeBack();
    await query("forget-failures", forget, [keys.pair]);
    await query("sweep-failures", sweep, []);
  };
  return { succeed, takeBack };
}

/** What else hashes a password that somebody sends, signed in or not. */
export type Entry = "sign-up" | "set-up" | "invitation" | "password-reset" | "password-change";

/**
 * Counts such a request by its address, whatever becomes of it: beyond the first thirty in a quarter of an hour they
 * have to wait, as failures to sign in do. Throws RATE_LIMIT_EXCEEDED.
 */
export async function countEntry(entry: Entry, ip: string | null): Promise<void> {
  const key = keyOf("entry", `${entry} ${networkOf(ip ?? "unknown")}`);
  if ((await query("attempt-sign-in", attempt, [key, freeFailures.entry])).length === 0) throw tooManyAttempts();
}

/** What whoever has to wait is told. */
export function tooManyAttempts(): AppError {
  return new AppError("RATE_LIMIT_EXCEEDED", "Too many attempts; wait a minute", {
    details: { retryAfter: waitSecondsMax },
    retryAfterSeconds: waitSecondsMax,
  });
}

/** Hashed: of accounts that do not exist, and of addresses, nothing is kept that could be read. */
function keyOf(kind: Kind, text: string): string {
  return createHash("sha256").update(`${kind} ${text}`).digest("base64url");
}

/** Of an IPv6 address the network: whoever has one has 2^64. */
function networkOf(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [head = "", tail = ""] = ip.split("::");
  const groups = head.split(":").filter(Boolean);
  const missing = ip.includes("::") ? 8 - groups.length - tail.split(":").filter(Boolean).length : 0;
  return [...groups, ...Array<string>(missing).fill("0"), ...tail.split(":")].slice(0, 4).join(":");
}
