import type { Account, NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { isSecureSite, sessionCookieName, sessionSeconds } from "#lib/auth/session-cookie.ts";
import { type SignInMethod, startSession } from "#lib/auth/start-session.ts";
import { env } from "#lib/platform/env.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { admitIdentity } from "#lib/workspaces/admit-identity.ts";
import { checkSignIn } from "./check-sign-in.ts";
import { signOut } from "./end-session.ts";
import { identityOf, outsideProviders } from "./outside-providers.ts";

/** What a request to sign in tells of its sender. */
export interface SignInCaller {
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** Who is signed in already: they connect an account elsewhere to theirs. */
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
        // Nothing but who, and in which session: the rest is looked up with each request.
        return { sub: user.id, sessionId: await startSession({ userId: user.id, method, ip, userAgent }) };
      },
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token?.sub === "string") await signOut(token.sub, String(token.sessionId));
      },
    },
    // The code alone: what next-auth would print beside it holds what was typed.
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
        // next-auth hands on an error's own words.
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
