// Files in DATA_DIR/files. Servers that share a database must share this folder too, or use a bucket.
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { AppError } from "#lib/errors.ts";
import { env } from "#lib/platform/env.ts";

/** The bytes from `first` to `last`, both inclusive. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

const partBytes = 262_144;

/** Where uploads are written. A serverless function has no folder that outlives it. */
export function incomingPath(id: string): string {
  return join(env().isFunction ? join(tmpdir(), "millrace-files") : join(folder(), "incoming"), id);
}

function folder(): string {
  return resolve(env().dataDir, "files");
}

/** One of a thousand folders, by the id's last characters, which are random. */
function pathOf(id: string): string {
  return join(folder(), id.slice(-2), id);
}

/** Moves an upload, whose bytes are already synced, to its place, and syncs the folder. */
export async function keepOnDisk(id: string, from: string): Promise<void> {
  const path = pathOf(id);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rename(from, path);
  const directory = await open(dirname(path), "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** The bytes of a file. Throws SERVICE_UNAVAILABLE if they are missing. */
export async function* readFromDisk(id: string, range?: Range): AsyncGenerator<Buffer, void, undefined> {
  const limits = range === undefined ? {} : { start: range.first, end: range.last };
  try {
    yield* createReadStream(pathOf(id), { ...limits, highWaterMark: partBytes });
  } catch (error) {
    throw isMissing(error) ? elsewhere(error) : error;
  }
}

/** Throws SERVICE_UNAVAILABLE if the bytes of a file are missing. */
export async function requireOnDisk(id: string): Promise<void> {
  await stat(pathOf(id)).catch((error: unknown) => {
    throw isMissing(error) ? elsewhere(error) : error;
  });
}

function elsewhere(cause: unknown): AppError {
  return new AppError(
    "SERVICE_UNAVAILABLE",
    "The file's bytes are not on this server: servers that share a database need one DATA_DIR/files, or FILES_S3_BUCKET",
    { cause },
  );
}

export async function removeFromDisk(id: string): Promise<void> {
  await unlink(pathOf(id)).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

/** Removes stale uploads of killed processes. `staleMs`: how long nothing was written to them. */
export async function removeStaleUploads(staleMs: number): Promise<number> {
  const uploads = dirname(incomingPath("file"));
  let removed = 0;
  for (const name of await readdir(uploads).catch(() => [])) {
    const path = join(uploads, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs < staleMs) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
