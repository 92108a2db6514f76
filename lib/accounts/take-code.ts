import { nowMs } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { hashOfRecoveryCode } from "./recovery-codes.ts";
import { openSecret, stepOfCode } from "./two-factor-secret.ts";

/** True when the code is one of the user's app, or a recovery code, that was not used before. Either works once. */
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
