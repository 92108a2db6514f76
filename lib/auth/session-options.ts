import type { NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { verifyPassword } from "./password.ts";

const sessionSeconds = 30 * 24 * 3_600;

/** next-auth's configuration. A function, because the secret is known only once the server runs. */
export function sessionOptions(): NextAuthOptions {
  return {
    secret: env().authSecret,
    session: { strategy: "jwt", maxAge: sessionSeconds },
    pages: { signIn: "/sign-in" },
    providers: [
      Credentials({
        credentials: { email: { type: "email" }, password: { type: "password" } },
        authorize: async (given) => {
          const email = given?.email?.trim().toLowerCase() ?? "";
          const user = await database().user.findUnique({ where: { email } });
          const matches = await verifyPassword(user?.passwordHash ?? null, given?.password ?? "");
          return user !== null && matches ? { id: user.id, email: user.email, name: user.name } : null;
        },
      }),
    ],
  };
}
