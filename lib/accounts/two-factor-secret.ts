import { Secret, TOTP } from "otpauth";
import { ownerOf, type Sealed, seal, unseal } from "#lib/platform/seal.ts";

const periodSeconds = 30;
/** Clocks of phones are off, and people are slow: the codes beside the present one are taken too. */
const stepsEitherSide = 1;
const secretBytes = 20;

export function newSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** The secret as it is stored, bound to its user. */
export function sealSecret(secret: string, userId: string): Sealed {
  return seal(secret, ownerOf(userId, "two-factor"));
}

export function openSecret(sealed: Sealed, userId: string): string {
  return unseal(sealed, ownerOf(userId, "two-factor"));
}

/** What a QR code tells the app. */
export function secretUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** The time step that a code of 6 digits is for; null when it is none of those around `now`. */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const off = totpOf(secret, "").validate({ token: code, timestamp: now, window: stepsEitherSide });
  return off === null ? null : Math.floor(now / 1_000 / periodSeconds) + off;
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: "Millrace", label, secret: Secret.fromBase32(secret), period: periodSeconds });
}
