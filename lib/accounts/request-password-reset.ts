import { hashOfToken, newOneTimeToken } from "#lib/auth/one-time-token.ts";
import { attemptSignIn } from "#lib/auth/sign-in-throttle.ts";
import { nowMs, timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { sendMail } from "#lib/platform/mail.ts";

const minutesValid = 60;
const openMax = 3;

/**
 * Mails a link to set a new password, if there is such an account. Whoever asks is told the same either way, and at
 * once: the mail goes out afterwards. Few links are open at a time, so that nobody's mailbox is filled.
 */
export async function requestPasswordReset(email: string, ip: string | null): Promise<void> {
  const address = email.trim().toLowerCase();
  if (address.length > 254 || address.includes("\0")) return;
  if ((await attemptSignIn(`reset ${address}`, ip)) === null) return;
  const user = await database().user.findUnique({ where: { email: address } });
  if (user === null) return;
  void sendLink(user).catch((error) => logLine("error", "A password reset was not sent", errorFields(error)));
}

async function sendLink(user: { readonly id: string; readonly email: string }): Promise<void> {
  const link = await openReset(user.id);
  if (link === null) return;
  const lines = [
    "Somebody, you we hope, asked for a new password on Millrace.",
    `Set it within ${minutesValid} minutes: ${link}`,
    "The link works once. If it was not you, there is nothing to do: your password stays as it is.",
  ];
  await sendMail({ to: user.email, subject: "A new password", text: lines.join("\n\n") });
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
