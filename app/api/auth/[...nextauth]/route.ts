import { headers } from "next/headers";
import NextAuth from "next-auth";
import { signInOptions } from "#lib/accounts/sign-in-options.ts";
import { currentUser } from "#lib/auth/session.ts";

async function handler(request: Request, context: unknown) {
  const told = await headers();
  const caller = {
    ip: told.get("x-forwarded-for")?.split(",")[0]?.trim() ?? null,
    userAgent: told.get("user-agent"),
    userId: (await currentUser())?.userId ?? null,
  };
  return await NextAuth(signInOptions(caller))(request, context);
}

export { handler as GET, handler as POST };
