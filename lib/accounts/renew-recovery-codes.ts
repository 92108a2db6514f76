import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { database } from "#lib/platform/database.ts";
import { replaceRecoveryCodes } from "./replace-recovery-codes.ts";
import { requireCode } from "./require-code.ts";

/** Gives ten new recovery codes in place of those before. Throws as `requireCode` does. */
export async function renewRecoveryCodes(actor: Actor, code: string): Promise<{ recoveryCodes: string[] }> {
  const userId = await requireCode(actor, code);
  return await database().$transaction(async (tx) => {
    await recordChange(tx, actor, { action: "account.recovery_codes_renewed", id: userId });
    return { recoveryCodes: await replaceRecoveryCodes(tx, userId) };
  });
}
