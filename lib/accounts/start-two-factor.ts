import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { hasTwoFactor } from "./has-two-factor.ts";
import { requirePassword } from "./require-password.ts";
import { newSecret, sealSecret, secretUri } from "./two-factor-secret.ts";

/** Makes a secret for an authenticator app; it waits to be confirmed. Throws INVALID_STATUS, VALIDATION_ERROR. */
export async function startTwoFactor(actor: Actor, password: string | undefined) {
  const { id: userId } = requireUser(actor);
  const user = await requirePassword(actor, "password", password);
  if (await hasTwoFactor(userId)) {
    throw new AppError("INVALID_STATUS", "An authenticator app is in use already", {
      details: { currentStatus: "enabled" },
    });
  }
  const secret = newSecret();
  const { ciphertext, keyVersion } = sealSecret(secret, userId);
  const columns = { secret: ciphertext, keyVersion, confirmedAt: null, lastStep: 0 };
  await database().twoFactor.upsert({ where: { userId }, create: { userId, ...columns }, update: columns });
  return { secret, uri: secretUri(secret, user.email) };
}
