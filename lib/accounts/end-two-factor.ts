import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { database } from "#lib/platform/database.ts";
import { requireCode } from "./require-code.ts";

/** Signing in asks for a password alone from now on. Throws as `requireCode` does. */
export async function endTwoFactor(actor: Actor, code: string): Promise<null> {
  const userId = await requireCode(actor, code);
  await database().$transaction(async (tx) => {
    await tx.twoFactor.deleteMany({ where: { userId } });
    await tx.recoveryCode.deleteMany({ where: { userId } });
    await recordChange(tx, actor, { action: "account.two_factor_disabled", id: userId });
  });
  return null;
}
