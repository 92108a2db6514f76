import { headers } from "next/headers";
import NextAuth from "next-auth";
import { signInOptions } from "#lib/accounts/sign-in-options.ts";
import { currentUser } from "#lib/auth/session.ts";
import { callerAddress } from "#lib/http/authenticate.ts";
import { refuseCallback } from "#lib/http/callback-url.ts";
import { atRightHost } from "#lib/http/serve.ts";

const handler = atRightHost(async (request: Request, context: unknown) => {
  const refused = refuseCallback(request);
  if (refused !== null) return refused;
  const requestHeaders = await headers();
  const caller = {
    ip: callerAddress(requestHeaders.get("x-forwarded-for")),
    userAgent: requestHeaders.get("user-agent"),
    userId: (await currentUser())?.userId ?? null,
  };
  return await NextAuth(signInOptions(caller))(request, context);
}, "app");

export { handler as GET, handler as POST };
