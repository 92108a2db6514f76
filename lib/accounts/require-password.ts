import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { verifyPassword } from "#lib/auth/password.ts";
import { attemptSignIn, tooManyAttempts } from "#lib/auth/sign-in-throttle.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";

/**
 * The signed-in user, once they have shown their password: a browser that was left open is not enough for what
 * changes how one signs in. Who has none shows none. Throws VALIDATION_ERROR naming `field`, RATE_LIMIT_EXCEEDED.
 */
export async function requirePassword(actor: Actor, field: string, password: string | undefined) {
  const { id } = requireUser(actor);
  const user = await database().user.findUniqueOrThrow({ where: { id } });
  if (user.passwordHash === null) return user;
  if (password === undefined) throw notRight(field, "Enter your password");
  const attempt = await attemptSignIn(user.email, actor.request?.ip ?? null);
  if (attempt === null) throw tooManyAttempts();
  if (!(await verifyPassword(user.passwordHash, password))) throw notRight(field, "This is not your password");
  await attempt.succeed();
  return user;
}

function notRight(field: string, message: string): AppError {
  return new AppError("VALIDATION_ERROR", message, { details: { [field]: message } });
}
