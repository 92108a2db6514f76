import { Secret, TOTP } from "otpauth";
import { recordChange } from "#lib/audit/record-change.ts";
import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { AppError } from "#lib/errors.ts";
import { nowMs, timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { ownerOf, type Sealed, seal, unseal } from "#lib/platform/seal.ts";
import { requirePassword } from "./account.ts";
import { replaceRecoveryCodes, requireCode, wrongCode } from "./two-factor-codes.ts";

const periodSeconds = 30;
/** Phones' clocks are off and people are slow, so the previous and next codes are accepted too. */
const stepsEitherSide = 1;
const secretBytes = 20;

export function newSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** The secret's stored form, bound to its user. */
export function sealSecret(secret: string, userId: string): Sealed {
  return seal(secret, ownerOf(userId, "two-factor"));
}

export function openSecret(sealed: Sealed, userId: string): string {
  return unseal(sealed, ownerOf(userId, "two-factor"));
}

/** The content of the QR code. */
function secretUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** The time step of a 6-digit code; null if it is not valid around `now`. */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const off = totpOf(secret, "").validate({ token: code, timestamp: now, window: stepsEitherSide });
  return off === null ? null : Math.floor(now / 1_000 / periodSeconds) + off;
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: "Millrace", label, secret: Secret.fromBase32(secret), period: periodSeconds });
}

/** True if signing in requires a code from this user. */
export async function hasTwoFactor(userId: string): Promise<boolean> {
  const where = { userId, confirmedAt: { not: null } };
  return (await database().twoFactor.count({ where })) > 0;
}

/** Creates a secret for an authenticator app, to be confirmed. Throws INVALID_STATUS, VALIDATION_ERROR. */
export async function startTwoFactor(actor: Actor, password: string | undefined) {
  const { id: userId } = requireUser(actor);
  const user = await requirePassword(actor, "password", password);
  const secret = newSecret();
  const { ciphertext, keyVersion } = sealSecret(secret, userId);
  // In one statement, so that an app confirmed meanwhile stays.
  const stored = await database().$executeRaw`
    INSERT INTO two_factor AS present (user_id, secret, key_version) VALUES (${userId}, ${ciphertext}, ${keyVersion})
    ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, key_version = excluded.key_version, last_step = 0
    WHERE present.confirmed_at IS NULL`;
  if (stored === 0) {
    throw new AppError("INVALID_STATUS", "An authenticator app is already in use", {
      details: { currentStatus: "enabled" },
    });
  }
  return { secret, uri: secretUri(secret, user.email) };
}

/**
 * Turns two-factor authentication on and returns the recovery codes. Throws INVALID_STATUS without a start,
 * VALIDATION_ERROR.
 */
export async function confirmTwoFactor(actor: Actor, code: string): Promise<{ recoveryCodes: string[] }> {
  const { id: userId } = requireUser(actor);
  return await database().$transaction(async (tx) => {
    const row = await tx.twoFactor.findUnique({ where: { userId } });
    if (row === null || row.confirmedAt !== null) {
      throw new AppError("INVALID_STATUS", "There is no authenticator app waiting to be confirmed", {
        details: { currentStatus: row === null ? "disabled" : "enabled" },
      });
    }
    const secret = openSecret({ ciphertext: row.secret, keyVersion: row.keyVersion }, userId);
    const step = stepOfCode(secret, code.replace(/\s/g, ""), nowMs());
    if (step === null) throw wrongCode();
    const where = { userId, confirmedAt: null, secret: row.secret };
    const { count } = await tx.twoFactor.updateMany({ where, data: { confirmedAt: timeNow(), lastStep: step } });
    if (count === 0) throw wrongCode();
    await recordChange(tx, actor, { action: "account.two_factor_enabled", id: userId });
    return { recoveryCodes: await replaceRecoveryCodes(tx, userId) };
  });
}

/** Turns two-factor authentication off. Throws as `requireCode` does. */
export async function endTwoFactor(actor: Actor, code: string): Promise<null> {
  const userId = await requireCode(actor, code);
  await database().$transaction(async (tx) => {
    await tx.twoFactor.deleteMany({ where: { userId } });
    await tx.recoveryCode.deleteMany({ where: { userId } });
    await recordChange(tx, actor, { action: "account.two_factor_disabled", id: userId });
  });
  return null;
}
