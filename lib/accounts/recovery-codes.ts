import { createHash, randomInt } from "node:crypto";
import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { database } from "#lib/platform/database.ts";
import type { PrismaClient } from "#lib/platform/prisma/client.ts";
import { requireCode } from "./two-factor-codes.ts";

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
