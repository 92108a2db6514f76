import type { Account, NextAuthOptions, Profile } from "next-auth";
import GitHub from "next-auth/providers/github";
import Google from "next-auth/providers/google";
import { z } from "zod";
import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { canSendMail } from "#lib/platform/mail.ts";
import type { OutsideIdentity } from "#lib/workspaces/new-user.ts";

/** Names of the configured providers. */
function outsideProviderNames(): OutsideIdentity["provider"][] {
  const { github, google } = env();
  return [...(github ? ["github" as const] : []), ...(google ? ["google" as const] : [])];
}

/** Sign-in through GitHub and Google, if configured. */
export function outsideProviders(): NextAuthOptions["providers"] {
  const { github, google } = env();
  return [
    ...(github ? [githubProvider(github.id, github.secret)] : []),
    ...(google ? [Google({ clientId: google.id, clientSecret: google.secret, checks: ["pkce", "state"] })] : []),
  ];
}

const githubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

function githubProvider(clientId: string, clientSecret: string) {
  return GitHub({
    clientId,
    clientSecret,
    userinfo: {
      url: "https://api.github.com/user",
      // The profile's address is unverified input: only addresses from the list are verified.
      request: async ({ client, tokens }) => {
        const token = tokens.access_token ?? "";
        const profile = await client.userinfo(token);
        const headers = { authorization: `Bearer ${token}`, "user-agent": "millrace" };
        const answer = await fetch("https://api.github.com/user/emails", { headers });
        const emails = githubEmails.safeParse(answer.ok ? await answer.json() : []).data ?? [];
        const email = emails.find(({ primary, verified }) => primary && verified)?.email;
        const { email: _typed, ...rest } = profile;
        return email === undefined ? rest : { ...rest, email, email_verified: true };
      },
    },
  });
}

const outsideProfile = z.object({
  email: z.string().nullish(),
  email_verified: z.boolean().optional(),
  name: z.string().nullish(),
  login: z.string().optional(),
});

/** The identity at GitHub or Google; null for a password. */
export function identityOf(
  { provider, providerAccountId }: Account,
  profile: Profile | undefined,
): OutsideIdentity | null {
  if (provider !== "github" && provider !== "google") return null;
  const { email, email_verified: isVerified, name, login } = outsideProfile.parse(profile ?? {});
  const verifiedEmail = isVerified === true ? (email ?? null) : null;
  return { provider, accountId: providerAccountId, verifiedEmail, name: name || login || "" };
}

/** The enabled ways to sign in and sign up. */
export function entryWays() {
  return { canSignUp: env().signUp === "open", canReset: canSendMail(), providers: outsideProviderNames() };
}

/** Disconnects this provider. Throws NOT_FOUND, and INVALID_STATUS if it is the only way to sign in. */
export async function endProvider(actor: Actor, provider: string): Promise<null> {
  const { id: userId } = requireUser(actor);
  await database().$transaction(async (tx) => {
    const locked = await tx.$queryRaw<{ password_hash: string | null }[]>`
      SELECT password_hash FROM "user" WHERE id = ${userId} FOR UPDATE`;
    const identities = await tx.identity.findMany({ where: { userId } });
    if (!identities.some((identity) => identity.provider === provider)) throw notFound("Provider");
    const others = identities.filter((identity) => identity.provider !== provider);
    if (others.length === 0 && locked[0]?.password_hash === null) {
      throw new AppError("INVALID_STATUS", "This is the only way to sign in: set a password first", {
        details: { currentStatus: "only_way_in" },
      });
    }
    await tx.identity.deleteMany({ where: { userId, provider } });
  });
  return null;
}
