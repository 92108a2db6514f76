import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { attemptSignIn, tooManyAttempts } from "#lib/auth/sign-in-throttle.ts";
import { AppError } from "#lib/errors.ts";
import { hasTwoFactor } from "./has-two-factor.ts";
import { takeCode } from "./take-code.ts";

/** Throws unless the code is one of the actor's app or a recovery code: VALIDATION_ERROR, INVALID_STATUS, RATE_LIMIT_EXCEEDED. */
export async function requireCode(actor: Actor, code: string): Promise<string> {
  const { id: userId } = requireUser(actor);
  if (!(await hasTwoFactor(userId))) {
    throw new AppError("INVALID_STATUS", "No authenticator app is in use", { details: { currentStatus: "disabled" } });
  }
  const attempt = await attemptSignIn(userId, actor.request?.ip ?? null);
  if (attempt === null) throw tooManyAttempts();
  if (!(await takeCode(userId, code))) throw wrongCode();
  await attempt.succeed();
  return userId;
}

export function wrongCode(): AppError {
  return new AppError("VALIDATION_ERROR", "The code is not right", {
    details: { code: "The code is not right, or was used before" },
  });
}
