import { recordChange } from "#lib/audit/record-change.ts";
import { hashOfToken, isPossibleToken } from "#lib/auth/one-time-token.ts";
import { hashPassword } from "#lib/auth/password.ts";
import { countEntry } from "#lib/auth/sign-in-throttle.ts";
import { newPassword } from "#lib/contract/account.ts";
import { AppError } from "#lib/errors.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";

/** True for the token of a link that still works. */
export async function isOpenReset(token: string): Promise<boolean> {
  if (!isPossibleToken(token)) return false;
  const where = { tokenHash: hashOfToken(token), expiresAt: { gt: timeNow() } };
  return (await database().passwordReset.count({ where })) > 0;
}

/** Sets the password, once, and ends all sessions of its user. Throws VALIDATION_ERROR, NOT_FOUND, RATE_LIMIT_EXCEEDED. */
export async function resetPassword(token: string, password: string, ip: string | null): Promise<void> {
  const parsed = newPassword.safeParse(password);
  if (!parsed.success) {
    const message = parsed.error.issues[0]?.message ?? "is not valid";
    throw new AppError("VALIDATION_ERROR", message, { details: { password: message } });
  }
  const gone = new AppError("NOT_FOUND", "This link was used, or has expired: ask for a new one");
  if (!(await isOpenReset(token))) throw gone;
  await countEntry("password-reset", ip);
  const passwordHash = await hashPassword(parsed.data);
  await database().$transaction(async (tx) => {
    const where = { tokenHash: hashOfToken(token), expiresAt: { gt: timeNow() } };
    const found = await tx.passwordReset.findFirst({ where });
    // Of two that use a link at once, one finds it gone.
    if (found === null || (await tx.passwordReset.deleteMany({ where })).count === 0) throw gone;
    const { userId } = found;
    await tx.user.update({ where: { id: userId }, data: { passwordHash } });
    await tx.passwordReset.deleteMany({ where: { userId } });
    await tx.session.deleteMany({ where: { userId } });
    for (const { workspaceId } of await tx.membership.findMany({ where: { userId } })) {
      const actor = { workspaceId, by: { kind: "user", id: userId } } as const;
      await recordChange(tx, actor, { action: "account.password_reset", id: userId });
    }
  });
}
