// The files of an installation outside of its database, for backups: read from and written to where the settings say.
import { join } from "node:path";
import type { KeepFile } from "#lib/backup/restore-backup.ts";
import type { BackupSource } from "#lib/backup/write-backup.ts";
import { keepRestored } from "#lib/files/places/keep-restored.ts";
import { openPlaced } from "#lib/files/use-files.ts";

export function filesOfServer(dataDir: string, url: string): NonNullable<BackupSource["readFile"]> {
  completeEnvironment(dataDir, url);
  return (id, place) => openPlaced(place === "bucket" ? "bucket" : "disk", id);
}

export function filesForServer(dataDir: string, url: string): KeepFile {
  completeEnvironment(dataDir, url);
  return keepRestored;
}

/** Where the SQLite files of workspaces are, in a folder for each. */
export function databaseFolderOf(dataDir: string): string {
  return join(dataDir, "files", "databases");
}

/** Settings are incomplete without these, though files need none of them. */
function completeEnvironment(dataDir: string, url: string): void {
  const unused = "not needed for this command";
  const { DATABASE_URL = url, AUTH_SECRET = unused, ENCRYPTION_KEY = unused } = process.env;
  Object.assign(process.env, { DATA_DIR: dataDir, DATABASE_URL, AUTH_SECRET, ENCRYPTION_KEY });
}
