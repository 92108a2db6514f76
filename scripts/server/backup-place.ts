// What `npm run backup` and `npm run restore` share: the passphrase, and access to a database, running or not.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stderr, stdin } from "node:process";
import { askHidden } from "#lib/platform/ask-hidden.ts";
import { clusterOf } from "#lib/platform/embedded-postgres/cluster.ts";
import { runningEmbeddedPostgres, startEmbeddedPostgres } from "#lib/platform/embedded-postgres/start.ts";
import type { Settings } from "#lib/platform/env.ts";
import { projectDirectory } from "../places.mjs";
import { holdDataDirectory } from "./data-directory.ts";
import { StartError, type Stopping } from "./stopping.ts";

const passphraseMin = 12;

export const migrationsDirectory = join(projectDirectory, "prisma/migrations");

/** This version of Millrace. */
export function ownVersion(): string {
  return JSON.parse(readFileSync(join(projectDirectory, "package.json"), "utf8")).version;
}

/** Resolves a path against the folder in which npm was called: scripts run in another one. */
export function fileNamed(name: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), name);
}

/** The passphrase from the settings, or from the terminal; for a new backup it is asked for twice. */
export async function passphraseOf({ backupPassphrase }: Settings, { isNew }: { isNew: boolean }): Promise<string> {
  if (backupPassphrase !== undefined) return backupPassphrase;
  if (!stdin.isTTY) throw new StartError("BACKUP_PASSPHRASE must be set if there is no terminal to ask for it");
  const given = await ask("Passphrase of the backup: ");
  if (!isNew) return given;
  if (given.length < passphraseMin)
    throw new StartError(`The passphrase must have ${passphraseMin} characters or more`);
  if ((await ask("Once more: ")) !== given) throw new StartError("The two passphrases differ");
  return given;
}

async function ask(question: string): Promise<string> {
  const given = await askHidden(question, { input: stdin, err: stderr });
  if (given === null) throw new StartError("Stopped");
  return given;
}

/** The URL of the embedded database; if no server runs it, this process does, until it ends. */
export async function embeddedDatabase(
  dataDir: string,
  stopping: Stopping,
  { mayMake, say }: { mayMake: boolean; say(line: string): void },
): Promise<string> {
  if (!mayMake && !existsSync(clusterOf(dataDir))) throw new StartError(`There is no database in DATA_DIR ${dataDir}`);
  const running = mayMake ? undefined : runningEmbeddedPostgres(dataDir);
  if (running !== undefined) return running;
  const held = await holdDataDirectory(dataDir, say);
  stopping.onStop(held.release);
  const { url, stop } = await startEmbeddedPostgres(dataDir, { log: say });
  stopping.onStop(stop);
  return url;
}
