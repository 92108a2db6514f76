import { verifyPassword } from "#lib/auth/password.ts";
import { attemptSignIn } from "#lib/auth/sign-in-throttle.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { hasTwoFactor } from "./has-two-factor.ts";
import { takeCode } from "./take-code.ts";

/** Why a sign-in was refused. The pages have words for each. */
export type SignInRefusal = "WrongPassword" | "CodeRequired" | "WrongCode" | "TooManyAttempts";

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** Of the authenticator app, or a recovery code; empty when none was given. */
  readonly code: string;
  readonly ip: string | null;
}

export interface SignInUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/**
 * The user with this e-mail address and password, and code if one is asked for. An unknown address is refused like a
 * wrong password, in words and in time.
 */
export async function checkSignIn({ email, password, code, ip }: SignInAttempt): Promise<SignInUser | SignInRefusal> {
  // PostgreSQL's text cannot hold U+0000, and no address has one.
  const address = email.replaceAll("\0", "?").trim().toLowerCase().slice(0, 254).toWellFormed();
  const attempt = await attemptSignIn(address, ip);
  if (attempt === null) return "TooManyAttempts";
  const user = await database().user.findUnique({ where: { email: address } });
  const matches = await verifyPassword(user?.passwordHash ?? null, password.slice(0, 200)).catch(ifBusy);
  if (matches === null) {
    await attempt.takeBack();
    return "TooManyAttempts";
  }
  if (user === null || !matches) return "WrongPassword";
  if (await hasTwoFactor(user.id)) {
    if (code === "") {
      await attempt.takeBack();
      return "CodeRequired";
    }
    if (!(await takeCode(user.id, code))) return "WrongCode";
  }
  await attempt.succeed();
  return { id: user.id, email: user.email, name: user.name };
}

/** Null when too many people sign in at once. */
function ifBusy(error: unknown): null {
  if (error instanceof AppError && error.code === "SERVICE_UNAVAILABLE") return null;
  throw error;
}
