import type { Account, NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { verifyPassword } from "#lib/auth/password.ts";
import { isSecureSite, type SignInMethod, sessionCookieName, sessionSeconds, startSession } from "#lib/auth/session.ts";
import { attemptSignIn } from "#lib/auth/sign-in-throttle.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { admitIdentity } from "#lib/workspaces/new-user.ts";
import { identityOf, outsideProviders } from "./outside-providers.ts";
import { signOut } from "./sessions.ts";
import { hasTwoFactor } from "./two-factor.ts";
import { takeCode } from "./two-factor-codes.ts";

/** What a sign-in request tells about its sender. */
interface SignInCaller {
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** The signed-in user, who is connecting a provider to their account. */
  readonly userId: string | null;
}

/** next-auth's configuration, for one request. */
export function signInOptions(caller: SignInCaller): NextAuthOptions {
  return {
    secret: env().authSecret,
    session: { strategy: "jwt", maxAge: sessionSeconds },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    useSecureCookies: isSecureSite(),
    cookies: {
      sessionToken: {
        name: sessionCookieName(),
        options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecureSite() },
      },
    },
    providers: [passwordProvider(caller), ...outsideProviders()],
    callbacks: {
      signIn: async ({ user, account, profile }) => {
        const identity = account === null ? null : identityOf(account, profile);
        if (identity === null) return true;
        const admitted = await admitIdentity(identity, caller.userId);
        if (typeof admitted === "string") return `/sign-in?error=${admitted}`;
        user.id = admitted.userId;
        return true;
      },
      jwt: async ({ token, user, account, trigger }) => {
        if (trigger !== "signIn" && trigger !== "signUp") return token;
        const method = methodOf(account);
        const { ip, userAgent } = caller;
        // Only the user and the session: everything else is looked up on each request.
        return { sub: user.id, sessionId: await startSession({ userId: user.id, method, ip, userAgent }) };
      },
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token?.sub === "string") await signOut(token.sub, String(token.sessionId));
      },
    },
    // Only the code: next-auth would also log the credentials.
    logger: { error: (code) => logLine("warning", "A sign-in failed", { code }), warn: () => {}, debug: () => {} },
  };
}

function passwordProvider({ ip }: SignInCaller) {
  return Credentials({
    credentials: { email: { type: "email" }, password: { type: "password" }, code: { type: "text" } },
    authorize: async (given) => {
      const { email = "", password = "", code = "" } = given ?? {};
      const typed = { email: String(email), password: String(password), code: String(code), ip };
      const checked = await checkSignIn(typed).catch((error) => {
        // next-auth passes an error's own message on.
        logLine("error", "A sign-in could not be checked", errorFields(error));
        return "Unavailable";
      });
      if (typeof checked === "string") throw new Error(checked);
      return checked;
    },
  });
}

function methodOf(account: Account | null): SignInMethod {
  return account?.provider === "github" || account?.provider === "google" ? account.provider : "password";
}

/** Why a sign-in was refused. The pages have a message for each. */
type SignInRefusal = "WrongPassword" | "CodeRequired" | "WrongCode" | "TooManyAttempts";

interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** From the authenticator app, or a recovery code; empty if none was given. */
  readonly code: string;
  readonly ip: string | null;
}

interface SignInUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/**
 * The user with this email address and password, and code if required. An unknown address is refused like a wrong
 * password, with the same message and in the same time.
 */
async function checkSignIn({ email, password, code, ip }: SignInAttempt): Promise<SignInUser | SignInRefusal> {
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

/** Null if too many people are signing in at once. */
function ifBusy(error: unknown): null {
  if (error instanceof AppError && error.code === "SERVICE_UNAVAILABLE") return null;
  throw error;
}
