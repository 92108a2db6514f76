import { database } from "#lib/platform/database.ts";

/** True when signing in asks this user for a code. */
export async function hasTwoFactor(userId: string): Promise<boolean> {
  const where = { userId, confirmedAt: { not: null } };
  return (await database().twoFactor.count({ where })) > 0;
}
