import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { attemptSignIn, tooManyAttempts } from "#lib/auth/sign-in-throttle.ts";
import { AppError } from "#lib/errors.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { hashOfRecoveryCode } from "./recovery-codes.ts";
import { hasTwoFactor, openSecret, stepOfCode } from "./two-factor.ts";

/** True if the code is an unused one of the user's app, or an unused recovery code. Either works once. */
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
