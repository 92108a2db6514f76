// Backs up workspaces' SQLite files as snapshots, despite concurrent writes, and restores them.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { pipeline } from "node:stream/promises";
import { BackupError } from "#lib/errors.ts";
import type { BackedUpDatabase, DatabaseEnd, Frame } from "./frames.ts";

/** How long to wait for a writer, in milliseconds. */
const busyMsMax = 30_000;
const pagesMax = 2_147_483_647;
/** SQLite's auxiliary files, whose content a copy includes. */
const besides = /-(?:wal|shm|journal)$/;

/**
 * The frames of all databases below this folder, which has a folder per workspace. Leaves out unreadable ones and
 * reports them.
 */
export async function* framesOfDatabases(folder: string, log: (line: string) => void): AsyncGenerator<Frame> {
  await removeAbandoned(folder);
  for (const database of await databasesIn(folder)) {
    const path = join(folder, database.workspaceId, ...database.path.split("/"));
    yield { kind: "database", content: database };
    const hash = createHash("sha256");
    let size = 0;
    let isWhole = false;
    try {
      for await (const content of copyOf(path, `${folder}${scratchName}`)) {
        hash.update(content);
        size += content.length;
        yield { kind: "data", content };
      }
      isWhole = true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      log(`Left out the database ${database.path} of ${database.workspaceId}: ${reason}`);
    }
    yield { kind: "databaseEnd", content: { size, sha256: hash.digest("hex"), isWhole } };
  }
}

async function databasesIn(folder: string): Promise<BackedUpDatabase[]> {
  if (!existsSync(folder)) return [];
  // Links do not count as files, and are not followed.
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = new Set(files.map(({ parentPath, name }) => relative(folder, join(parentPath, name))));
  const own = [...paths].filter((path) => !(besides.test(path) && paths.has(path.replace(besides, ""))));
  return own.toSorted().flatMap((path) => {
    const [workspaceId = "", ...parts] = path.split(sep);
    return parts.length === 0 ? [] : [{ workspaceId, path: parts.join("/") }];
  });
}

/** Copies are made in folders beside that of all databases, on the same disk, so that none passes for a database. */
const scratchName = ".backup-";
/** A copy that is being made is written to all the time, and one that is being read needs its name no more. */
const abandonedMs = 3_600_000;

/** Removes the copies of backups that were killed. */
async function removeAbandoned(folder: string): Promise<void> {
  const parent = dirname(folder);
  const names = existsSync(parent) ? await readdir(parent) : [];
  for (const name of names.filter((name) => name.startsWith(`${basename(folder)}${scratchName}`))) {
    const scratch = join(parent, name);
    const written = await Promise.all([scratch, join(scratch, "copy")].map(writtenAt));
    if (Math.max(...written) < Date.now() - abandonedMs) await rm(scratch, { recursive: true, force: true });
  }
}

/** Epoch milliseconds; 0 if it does not exist. */
async function writtenAt(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? 0;
}

/** A database as one file, copied by SQLite itself as a snapshot that includes its log. */
async function* copyOf(path: string, scratchPrefix: string): AsyncGenerator<Buffer> {
  const scratch = await mkdtemp(scratchPrefix);
  try {
    const copy = join(scratch, "copy");
    const source = new DatabaseSync(path, { readOnly: true, timeout: busyMsMax });
    try {
      // In one step: with several, every write would restart it.
      await backup(source, copy, { rate: pagesMax });
    } finally {
      source.close();
    }
    if (existsSync(copy)) yield* createReadStream(copy) as AsyncIterable<Buffer>;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Keeps a restore's databases aside until the restore commits. */
export class RestoredDatabases {
  readonly #folder: string;
  readonly #staging: string;
  readonly #workspaces = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#staging = `${folder}.restored`;
  }

  /** Removes what an interrupted restore has left. */
  async clear(): Promise<void> {
    await rm(this.#staging, { recursive: true, force: true });
  }

  /** `end` is called after the last byte. Leaves out an incomplete database. Throws BackupError for a changed one. */
  async keep(
    { workspaceId, path }: BackedUpDatabase,
    bytes: AsyncIterable<Buffer>,
    end: () => DatabaseEnd,
  ): Promise<void> {
    const parts = [workspaceId, ...path.split("/")];
    if (parts.some((part) => ["", ".", ".."].includes(part) || /[\\\0/]/.test(part))) {
      throw new BackupError(`The backup has a database with an invalid name: ${path}`);
    }
    const target = join(this.#staging, ...parts);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const hash = createHash("sha256");
    const hashed = async function* () {
      for await (const part of bytes) {
        hash.update(part);
        yield part;
      }
    };
    const written = createWriteStream(target, { flags: "wx", mode: 0o600, flush: true });
    await pipeline(hashed(), written);
    const { size, sha256, isWhole } = end();
    if (!isWhole) return await rm(target);
    if (written.bytesWritten !== size || hash.digest("hex") !== sha256) {
      throw new BackupError(`The backup's database ${path} of ${workspaceId} is damaged`);
    }
    this.#workspaces.add(workspaceId);
  }

  /** Replaces the workspaces' databases with the backed-up ones. */
  async putBack(): Promise<void> {
    for (const workspaceId of this.#workspaces) {
      const place = join(this.#folder, workspaceId);
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await rm(place, { recursive: true, force: true });
      await rename(join(this.#staging, workspaceId), place);
    }
    await this.clear();
  }
}
