import type { Account, NextAuthOptions, Profile } from "next-auth";
import GitHub from "next-auth/providers/github";
import Google from "next-auth/providers/google";
import { z } from "zod";
import { env } from "#lib/platform/env.ts";
import type { OutsideIdentity } from "#lib/workspaces/admit-identity.ts";

/** Names of the providers that the operator set up. */
export function outsideProviderNames(): OutsideIdentity["provider"][] {
  const { github, google } = env();
  return [...(github ? ["github" as const] : []), ...(google ? ["google" as const] : [])];
}

/** Sign-in through GitHub and Google, as far as the operator set it up. */
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
      // The address of the profile is whatever its owner typed: only that of the list is known to be theirs.
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

/** Who signs in through GitHub or Google; null for a password. */
export function identityOf(
  { provider, providerAccountId }: Account,
  profile: Profile | undefined,
): OutsideIdentity | null {
  if (provider !== "github" && provider !== "google") return null;
  const { email, email_verified: isVerified, name, login } = outsideProfile.parse(profile ?? {});
  const verifiedEmail = isVerified === true ? (email ?? null) : null;
  return { provider, accountId: providerAccountId, verifiedEmail, name: name || login || "" };
}
