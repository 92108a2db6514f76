import { hash, verify } from "@node-rs/argon2";
import { singleton } from "#lib/platform/singleton.ts";

/** Hashes a password with argon2id (OWASP's parameters: 19 MiB, two passes). */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
}

/** Compares; takes as long for an unknown account (`stored` null) as for a known one. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const decoy = singleton("decoy-password", () => hashPassword("no account has this password"));
  const matches = await verify(stored ?? (await decoy), password).catch(() => false);
  return stored !== null && matches;
}
