import { recordChange } from "#lib/audit/record-change.ts";
import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { AppError } from "#lib/errors.ts";
import { nowMs, timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { replaceRecoveryCodes } from "./replace-recovery-codes.ts";
import { wrongCode } from "./require-code.ts";
import { openSecret, stepOfCode } from "./two-factor-secret.ts";

/** Puts the app in force and gives the recovery codes. Throws INVALID_STATUS without a start, VALIDATION_ERROR. */
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
