import { hashOfToken, newOneTimeToken } from "#lib/auth/one-time-token.ts";
import { attemptSignIn } from "#lib/auth/sign-in-throttle.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
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
  if (user !== null) void sendLink(user);
}

async function sendLink({ id: userId, email }: { readonly id: string; readonly email: string }): Promise<void> {
  const token = newOneTimeToken();
  const isStored = await database().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM "user" WHERE id = ${userId} FOR UPDATE`;
    await tx.passwordReset.deleteMany({ where: { userId, expiresAt: { lt: new Date() } } });
    if ((await tx.passwordReset.count({ where: { userId } })) >= openMax) return false;
    const expiresAt = new Date(Date.now() + minutesValid * 60_000);
    await tx.passwordReset.create({ data: { tokenHash: hashOfToken(token), userId, expiresAt } });
    return true;
  });
  if (!isStored) return;
  const lines = [
    "Somebody, you we hope, asked for a new password on Millrace.",
    `Set it within ${minutesValid} minutes: ${env().publicUrl}/reset-password/${token}`,
    "The link works once. If it was not you, there is nothing to do: your password stays as it is.",
  ];
  await sendMail({ to: email, subject: "A new password", text: lines.join("\n\n") });
}
