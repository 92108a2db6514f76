import type { PrismaClient } from "#lib/platform/prisma/client.ts";
import { hashOfRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";

/** Gives a user new recovery codes, of which only hashes are kept; the ones before work no more. */
export async function replaceRecoveryCodes(tx: Pick<PrismaClient, "recoveryCode">, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, hash: hashOfRecoveryCode(userId, code) })),
  });
  return codes;
}
