// Generated secrets in files of mode 0600.
import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** The secret in the file: 256 random bits, created if the file is missing. */
export function secretFile(path: string): string {
  try {
    return readSecret(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(unfinished, path); // Completely or not at all, and never over one that another start has created.
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
  return readSecret(path);
}

/** Puts a secret into the file, in place of one that may be there. */
export function replaceSecret(path: string, secret: string): void {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${secret}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, path);
}

function readSecret(path: string): string {
  const secret = readFileSync(path, "utf8").trim();
  if (secret.length >= 32) return secret;
  throw new Error(`${path} does not hold a secret of 32 characters or more`);
}
