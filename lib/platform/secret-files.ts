// Generated secrets in files of mode 0600.
import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { SettingsError } from "./env.ts";

/** The secret in the file: 256 random bits, created if the file is missing. */
export function secretFile(path: string): string {
  const stored = keptSecret(path);
  if (stored !== undefined) return stored;
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(unfinished, path); // Atomic, and never overwrites one that another start has created.
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
  return readSecret(path);
}

/** The secret in the file; undefined if the file is missing. */
export function keptSecret(path: string): string | undefined {
  try {
    return readSecret(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Writes a secret to the file. The previous one is kept beside it until `dropReplacedSecret`; of several, the first,
 * because rows that it sealed may still exist.
 */
export function replaceSecret(path: string, secret: string): void {
  try {
    linkSync(path, replacedBy(path));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EEXIST")))
      throw error;
  }
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${secret}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, path);
}

export function dropReplacedSecret(path: string): void {
  rmSync(replacedBy(path), { force: true });
}

const replacedBy = (path: string) => `${path}.before-restore`;

function readSecret(path: string): string {
  const secret = readFileSync(path, "utf8").trim();
  if (secret.length >= 32) return secret;
  throw new SettingsError([
    `${path} does not hold a secret of 32 characters or more: put the one back that it held, or what it protects stays unreadable`,
  ]);
}
