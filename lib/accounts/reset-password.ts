import { recordChange } from "#lib/audit/record-change.ts";
import { hashOfToken, isPossibleToken, newOneTimeToken } from "#lib/auth/one-time-token.ts";
import { hashPassword } from "#lib/auth/password.ts";
import { attemptSignIn, countEntry } from "#lib/auth/sign-in-throttle.ts";
import { newPassword } from "#lib/contract/accounts/account.ts";
import { AppError } from "#lib/errors.ts";
import { keepRunning } from "#lib/platform/after-answer.ts";
import { nowMs, timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { sendMail } from "#lib/platform/mail.ts";

const minutesValid = 60;
const openMax = 3;

/**
 * Mails a password reset link if the account exists. The answer is the same either way, and immediate, because the mail
 * is sent afterwards. Limits open links, so that no mailbox is flooded.
 */
export async function requestPasswordReset(email: string, ip: string | null): Promise<void> {
  const address = email.trim().toLowerCase();
  if (address.length > 254 || address.includes("\0")) return;
  if ((await attemptSignIn(`reset ${address}`, ip)) === null) return;
  const user = await database().user.findUnique({ where: { email: address } });
  if (user === null) return;
  const sending = sendLink(user).catch((error) =>
    logLine("error", "A password reset was not sent", errorFields(error)),
  );
  keepRunning(sending);
}

async function sendLink(user: { readonly id: string; readonly email: string }): Promise<void> {
  const link = await openReset(user.id);
  if (link === null) return;
  const lines = [
    "Someone asked to reset the password of your Millrace account.",
    `Set a new password within ${minutesValid} minutes: ${link}`,
    "The link works once. If it wasn't you, ignore this email: your password stays the same.",
  ];
  await sendMail({ to: user.email, subject: "Reset your password", text: lines.join("\n\n") });
}

/** A link for the operator to pass on; null without such an account, or while three are open. */
export async function openPasswordReset(email: string): Promise<string | null> {
  const user = await database().user.findUnique({ where: { email: email.trim().toLowerCase() } });
  return user === null ? null : await openReset(user.id);
}

async function openReset(userId: string): Promise<string | null> {
  const token = newOneTimeToken();
  const isStored = await database().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM "user" WHERE id = ${userId} FOR UPDATE`;
    await tx.passwordReset.deleteMany({ where: { userId, expiresAt: { lt: timeNow() } } });
    if ((await tx.passwordReset.count({ where: { userId } })) >= openMax) return false;
    const expiresAt = new Date(nowMs() + minutesValid * 60_000);
    await tx.passwordReset.create({ data: { tokenHash: hashOfToken(token), userId, expiresAt } });
    return true;
  });
  return isStored ? `${env().publicUrl}/reset-password/${token}` : null;
}

/** True for a valid link's token. */
export async function isOpenReset(token: string): Promise<boolean> {
  if (!isPossibleToken(token)) return false;
  const where = { tokenHash: hashOfToken(token), expiresAt: { gt: timeNow() } };
  return (await database().passwordReset.count({ where })) > 0;
}

/**
 * Sets the password, once, and ends all its user's sessions. Throws VALIDATION_ERROR, NOT_FOUND, RATE_LIMIT_EXCEEDED.
 */
export async function resetPassword(token: string, password: string, ip: string | null): Promise<void> {
  const parsed = newPassword.safeParse(password);
  if (!parsed.success) {
    const message = parsed.error.issues[0]?.message ?? "is not valid";
    throw new AppError("VALIDATION_ERROR", message, { details: { password: message } });
  }
  const usedOrExpired = new AppError("NOT_FOUND", "This link was used, or has expired: ask for a new one");
  if (!(await isOpenReset(token))) throw usedOrExpired;
  await countEntry("password-reset", ip);
  const passwordHash = await hashPassword(parsed.data);
  await database().$transaction(async (tx) => {
    const where = { tokenHash: hashOfToken(token), expiresAt: { gt: timeNow() } };
    const found = await tx.passwordReset.findFirst({ where });
    // Of two concurrent uses of a link, only one finds it.
    if (found === null || (await tx.passwordReset.deleteMany({ where })).count === 0) throw usedOrExpired;
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
