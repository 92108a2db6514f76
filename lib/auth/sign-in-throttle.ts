import { createHash } from "node:crypto";
import { AppError } from "#lib/errors.ts";
import { query } from "#lib/platform/database.ts";
import { networkOf } from "#lib/platform/outbound/public-address.ts";

/** Consecutive failures without a delay. */
const freeFailures = { pair: 5, account: 20, address: 50, entry: 30, mail: 100 } as const;
type Kind = keyof typeof freeFailures;

/** The longest delay before the next attempt; shorter ones double. */
const waitSecondsMax = 60;
/** After this long without a failure the count starts over. */
const forgetSeconds = 900;

// One statement counts the attempt and decides whether it is allowed, so that concurrent attempts cannot slip through.
// Refused attempts are not counted, so they do not extend the delay.
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
const refund = "UPDATE sign_in_failure SET failures = greatest(failures - 1, 0) WHERE key = ANY($1::text[])";
const sweep = `DELETE FROM sign_in_failure WHERE last_at < now() - ${2 * forgetSeconds} * interval '1 second'`;

/** A permitted sign-in attempt. It counts as a failure unless one of these is called. */
export interface Attempt {
  /** It succeeded: earlier failures from the same address are forgotten. */
  succeed(): Promise<void>;
  /** Uncounts the attempt; earlier failures are kept. */
  takeBack(): Promise<void>;
}

/**
 * Counts a sign-in attempt by account and address, by account, and by address; null if one of them must wait, at most a
 * minute. Guessing from many addresses does not lock out the owner: an address from which the owner signs in has its
 * own count.
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
    await query("give-back-failures", refund, [counted.map((kind) => keys[kind])]);
  };
  const succeed = async () => {
    await takeBack();
    await query("forget-failures", forget, [keys.pair]);
    await query("sweep-failures", sweep, []);
  };
  return { succeed, takeBack };
}

/** Other requests that hash a password, signed in or not. */
export type Entry = "sign-up" | "set-up" | "invitation" | "password-reset" | "password-change";

/**
 * Counts such a request by its address, whatever its outcome. After thirty in a quarter of an hour there is a delay, as
 * after failed sign-ins. Throws RATE_LIMIT_EXCEEDED.
 */
export async function countEntry(entry: Entry, ip: string | null): Promise<void> {
  const key = keyOf("entry", `${entry} ${networkOf(ip ?? "unknown")}`);
  if ((await query("attempt-sign-in", attempt, [key, freeFailures.entry])).length === 0) throw tooManyAttempts();
}

/**
 * Counts a mail to an address that nobody has confirmed, from whatever workspace; false if it must not be sent. After a
 * hundred in a row there is a delay, as after failed sign-ins.
 */
export async function countMail(to: string): Promise<boolean> {
  return (await query("attempt-sign-in", attempt, [keyOf("mail", to.toLowerCase()), freeFailures.mail])).length > 0;
}

/** The error during a delay. */
export function tooManyAttempts(): AppError {
  return new AppError("RATE_LIMIT_EXCEEDED", "Too many attempts; wait a minute", {
    details: { retryAfter: waitSecondsMax },
    retryAfterSeconds: waitSecondsMax,
  });
}

/** Hashed, so that nothing readable is stored about unknown accounts and addresses. */
function keyOf(kind: Kind, text: string): string {
  return createHash("sha256").update(`${kind} ${text}`).digest("base64url");
}
