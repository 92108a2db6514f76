import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";

/** Signing in through this provider ends. Throws NOT_FOUND, and INVALID_STATUS when it is the only way in. */
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
