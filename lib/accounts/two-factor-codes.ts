import { createHash, randomInt } from "node:crypto";
import { recordChange } from "#lib/audit/record-change.ts";
import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { attemptSignIn, tooManyAttempts } from "#lib/auth/sign-in-throttle.ts";
import { AppError } from "#lib/errors.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import type { PrismaClient } from "#lib/platform/prisma/client.ts";
import { hasTwoFactor, openSecret, stepOfCode } from "./two-factor.ts";

/** Uses up a code of the user's app or a recovery code; false if it is invalid or was used before. */
export async function takeCode(userId: string, given: string): Promise<boolean> {
  const code = given.replace(/\s/g, "");
  const row = await database().twoFactor.findUnique({ where: { userId } });
  if (row === null || row.confirmedAt === null) return false;
  const secret = openSecret({ ciphertext: row.secret, keyVersion: row.keyVersion }, userId);
  const step = stepOfCode(secret, code, nowMs());
  if (step !== null) {
    const where = { userId, lastStep: { lt: step } };
    return (await database().twoFactor.updateMany({ where, data: { lastStep: step } })).count === 1;
  }
  const hash = hashOfRecoveryCode(userId, code);
  return (await database().recoveryCode.deleteMany({ where: { userId, hash } })).count === 1;
}

/** Throws unless the code is one of the actor's app or a recovery code: VALIDATION_ERROR, INVALID_STATUS, RATE_LIMIT_EXCEEDED. */
export async function requireCode(actor: Actor, code: string): Promise<string> {
  const { id: userId } = requireUser(actor);
  if (!(await hasTwoFactor(userId))) {
    throw new AppError("INVALID_STATUS", "No authenticator app is in use", { details: { currentStatus: "disabled" } });
  }
  const attempt = await attemptSignIn(userId, actor.request?.ip ?? null);
  if (attempt === null) throw tooManyAttempts();
  if (!(await takeCode(userId, code))) throw wrongCode();
  await attempt.succeed();
  return userId;
}

export function wrongCode(): AppError {
  return new AppError("VALIDATION_ERROR", "The code is not correct", {
    details: { code: "The code is not correct, or was used before" },
  });
}

const codeCount = 10;
/** Without letters and digits that look alike. */
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";
const groupCharacters = 5;

/** Ten new codes, `xxxxx-xxxxx`: 49 random bits each, which is plenty with the throttle. */
export function newRecoveryCodes(): string[] {
  const group = () => Array.from({ length: groupCharacters }, () => alphabet[randomInt(alphabet.length)]).join("");
  return Array.from({ length: codeCount }, () => `${group()}-${group()}`);
}

/** A code's stored hash; case, spaces and the dash do not matter. Bound to its user. */
export function hashOfRecoveryCode(userId: string, code: string): string {
  const plain = code.toLowerCase().replace(/[\s-]/g, "");
  return createHash("sha256").update(`${userId} ${plain}`).digest("hex");
}

/** Replaces a user's recovery codes, of which only hashes are stored. */
export async function replaceRecoveryCodes(tx: Pick<PrismaClient, "recoveryCode">, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, hash: hashOfRecoveryCode(userId, code) })),
  });
  return codes;
}

/** Replaces the recovery codes with ten new ones. Throws as `requireCode` does. */
export async function renewRecoveryCodes(actor: Actor, code: string): Promise<{ recoveryCodes: string[] }> {
  const userId = await requireCode(actor, code);
  return await database().$transaction(async (tx) => {
    await recordChange(tx, actor, { action: "account.recovery_codes_renewed", id: userId });
    return { recoveryCodes: await replaceRecoveryCodes(tx, userId) };
  });
}
