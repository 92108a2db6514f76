import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { env } from "#lib/platform/env.ts";
import { keepInBucket } from "./bucket.ts";
import { incomingPath, keepOnDisk } from "./disk.ts";

interface Restored {
  readonly id: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;
}

/** Stores a file of a backup where the settings say, and returns that place. */
export async function keepRestored(file: Restored, bytes: AsyncIterable<Buffer>): Promise<"disk" | "bucket"> {
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
