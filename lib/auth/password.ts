import { hash, verify } from "@node-rs/argon2";
import { AppError } from "#lib/errors.ts";
import { singleton } from "#lib/platform/singleton.ts";

/**
 * Concurrent hashes: each takes 19 MiB and a core for about 20 ms, on the threads that also read files and resolve host
 * names.
 */
const atOnceMax = 2;
/** How many may queue: a few seconds' worth. */
const waitingMax = 100;

const turns = () => singleton("password-hashing", () => ({ busy: 0, waiting: [] as (() => void)[] }));

/** Hashes a password with argon2id (OWASP's parameters: 19 MiB, two passes). Throws SERVICE_UNAVAILABLE. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hashNow(password));
}

function hashNow(password: string): Promise<string> {
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
}

/**
 * Verifies a password; takes as long for an unknown account (`stored` null) as for a known one. Throws
 * SERVICE_UNAVAILABLE.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const decoy = singleton("decoy-password", () => hashNow("no account has this password"));
  const compared = stored ?? (await decoy);
  const matches = await inTurn(() => verify(compared, password).catch(() => false));
  return stored !== null && matches;
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const { waiting } = turns();
  if (turns().busy < atOnceMax) turns().busy += 1;
  else if (waiting.length >= waitingMax) {
    throw new AppError("SERVICE_UNAVAILABLE", "Too many people sign in at once: try again shortly", {
      retryAfterSeconds: 2,
    });
  } else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // Hands the slot over instead of releasing it, so that no one can take it in between.
    if (next === undefined) turns().busy -= 1;
    else next();
  }
}
