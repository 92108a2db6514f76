import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError } from "#lib/errors.ts";
import type { FileReference } from "#lib/nodes/files/file-access.ts";
import { isUnavailable, unavailable } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { newId } from "#lib/platform/ids.ts";
import {
  beginIncoming,
  chargeStepBytes,
  finishIncoming,
  increaseCharge,
  markAbandoned,
  storeInline,
} from "./charge.ts";
import { finishRemoval } from "./delete-files.ts";
import { keepInBucket } from "./places/bucket.ts";
import { incomingPath, keepOnDisk } from "./places/disk.ts";
import { fileTooLarge, storableName, storableType } from "./stored-file.ts";

/** An incoming file. */
export interface IncomingFile {
  readonly name: string | null | undefined;
  readonly contentType: string | null | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Its declared size in bytes; missing if unknown. */
  readonly bytesExpected?: number | undefined;
  /** The size limit, if smaller than FILE_MAX_BYTES. */
  readonly bytesMax?: number;
  /** An id that makes a retry store the file only once. */
  readonly id?: string;
}

/**
 * Stores a file as its bytes arrive: a small file is kept in memory, a larger one goes to disk. Each byte is charged to
 * the workspace before it is stored. A failed upload leaves nothing. Throws PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE, and
 * whatever `bytes` throws.
 */
export async function saveFile(workspaceId: string, incoming: IncomingFile): Promise<FileReference> {
  const name = storableName(incoming.name);
  const contentType = storableType(incoming.contentType);
  const { inlineBytes, fileBytes } = env().files;
  const bytesMax = Math.min(incoming.bytesMax ?? fileBytes, fileBytes);
  if ((incoming.bytesExpected ?? 0) > bytesMax) throw fileTooLarge(bytesMax);
  const id = incoming.id ?? newId("file");
  const chunks = incoming.bytes[Symbol.asyncIterator]();
  try {
    const head = await readHead(chunks, inlineBytes, bytesMax);
    if (head.isAll) {
      const content = Buffer.concat(head.parts);
      const sha256 = createHash("sha256").update(content).digest("hex");
      await storeInline(workspaceId, { id, name, contentType, sha256, content });
      return { file: id, name, contentType, size: content.length, sha256 };
    }
    const upload = new Upload(workspaceId, id, { bytesMax, bytesExpected: incoming.bytesExpected });
    return await upload.store(name, contentType, head.parts, chunks);
  } catch (error) {
    throw isUnavailable(error) ? unavailable(error) : error;
  } finally {
    // Lets the producer of the bytes clean up.
    await chunks.return?.().catch(() => {});
  }
}

/** The first bytes, up to one chunk more than `inlineBytes`. */
async function readHead(chunks: AsyncIterator<Uint8Array>, inlineBytes: number, bytesMax: number) {
  const parts: Uint8Array[] = [];
  let size = 0;
  while (size <= inlineBytes) {
    const { done, value } = await chunks.next();
    if (done) return { parts, isAll: true };
    size += value.length;
    if (size > bytesMax) throw fileTooLarge(bytesMax);
    parts.push(value);
  }
  return { parts, isAll: false };
}

/** The upload of a file too large for the database: a row in state `incoming`, and its bytes in a separate file. */
class Upload {
  readonly #workspaceId: string;
  readonly #id: string;
  readonly #bytesMax: number;
  readonly #path: string;
  readonly #first: number;
  readonly #hash = createHash("sha256");
  #size = 0;
  #charged = 0;

  constructor(workspaceId: string, id: string, limits: { bytesMax: number; bytesExpected: number | undefined }) {
    this.#workspaceId = workspaceId;
    this.#id = id;
    this.#bytesMax = limits.bytesMax;
    this.#path = incomingPath(id);
    this.#first = limits.bytesExpected ?? Math.min(chargeStepBytes, limits.bytesMax);
  }

  async store(name: string, contentType: string, head: Uint8Array[], rest: AsyncIterator<Uint8Array>) {
    const place = env().files.bucket === undefined ? "disk" : "bucket";
    if (place === "disk" && env().isFunction) {
      const inline = env().files.inlineBytes;
      throw new AppError("PAYLOAD_TOO_LARGE", `Files of over ${inline} bytes need a bucket here: set FILES_S3_BUCKET`);
    }
    await beginIncoming(this.#workspaceId, this.#id, place, this.#first);
    this.#charged = this.#first;
    try {
      await this.#receive(head, rest);
      const [size, sha256] = [this.#size, this.#hash.digest("hex")];
      if (place === "disk") await keepOnDisk(this.#id, this.#path);
      else {
        const reread = () => createReadStream(this.#path) as AsyncIterable<Buffer>;
        await keepInBucket(this.#id, { size, sha256, contentType, open: reread });
      }
      if (!(await finishIncoming(this.#id, { name, contentType, size, sha256 }))) {
        throw new AppError("SERVICE_UNAVAILABLE", "The upload took too long: try again");
      }
      return { file: this.#id, name, contentType, size, sha256 };
    } catch (error) {
      // If the database is unavailable, the sweep does this later.
      await markAbandoned(this.#id)
        .then(finishRemoval)
        .catch(() => {});
      throw error;
    } finally {
      await rm(this.#path, { force: true });
    }
  }

  async #receive(head: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const file = await open(this.#path, "wx", 0o600);
    try {
      for (const part of head) await this.#write(file, part);
      for (let next = await rest.next(); !next.done; next = await rest.next()) await this.#write(file, next.value);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  async #write(file: Awaited<ReturnType<typeof open>>, part: Uint8Array): Promise<void> {
    if (this.#size + part.length > this.#bytesMax) throw fileTooLarge(this.#bytesMax);
    while (this.#charged < this.#size + part.length) {
      const step = Math.min(chargeStepBytes, this.#bytesMax - this.#charged);
      await increaseCharge(this.#workspaceId, this.#id, step);
      this.#charged += step;
    }
    this.#size += part.length;
    this.#hash.update(part);
    for (let written = 0; written < part.length; ) {
      written += (await file.write(part, written, part.length - written)).bytesWritten;
    }
  }
}
