// The files of an installation outside of its database, for backups: read from and written to where the settings say.
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { KeepFile } from "#lib/backup/restore-backup.ts";
import type { BackupSource } from "#lib/backup/write-backup.ts";
import { keepInBucket } from "#lib/files/places/bucket.ts";
import { incomingPath, keepOnDisk } from "#lib/files/places/disk.ts";
import { openPlaced } from "#lib/files/use-files.ts";
import { env } from "#lib/platform/env.ts";

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

interface Restored {
  readonly id: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;
}

/** Stores a file of a backup where the settings say, and returns that place. */
async function keepRestored(file: Restored, bytes: AsyncIterable<Buffer>): Promise<"disk" | "bucket"> {
  const path = incomingPath(file.id);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const written = createWriteStream(path, { mode: 0o600, flush: true });
    await pipeline(bytes, written);
    // An incomplete file is not moved into place: nobody reads it.
    if (written.bytesWritten !== file.size) return "disk";
    if (env().files.bucket === undefined) {
      await keepOnDisk(file.id, path);
      return "disk";
    }
    const open = () => createReadStream(path) as AsyncIterable<Buffer>;
    await keepInBucket(file.id, { ...file, open });
    return "bucket";
  } finally {
    await rm(path, { force: true });
  }
}
