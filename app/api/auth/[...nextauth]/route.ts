import NextAuth from "next-auth";
import { sessionOptions } from "#lib/auth/session-options.ts";

const handler = (request: Request, context: unknown) => NextAuth(sessionOptions())(request, context);

export { handler as GET, handler as POST };
