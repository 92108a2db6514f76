// A backup's file, sealed with a passphrase. It is split into chunks of one size; each nonce has the chunk's number and
// whether it is the last, so a missing, moved, changed or added chunk does not open.
import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { createReadStream } from "node:fs";
import { promisify } from "node:util";
import { BackupError } from "#lib/errors.ts";

const magic = Buffer.from("millrace backup\n");
const format = 1;
const saltBytes = 16;
const checkBytes = 16;
const tagBytes = 16;
const headBytes = magic.length + 1 + saltBytes;
const chunkBytes = 65_536;
/** 64 MiB and about 0.2 s per guess. */
const scryptCost = { N: 65_536, r: 8, p: 1, maxmem: 134_217_728 };

const derive = promisify<string, Buffer, number, typeof scryptCost, Buffer>(scrypt);

/** Seals a stream; the file's head comes first. */
export async function* sealed(passphrase: string, plain: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const head = Buffer.concat([magic, Buffer.of(format), randomBytes(saltBytes)]);
  const { key, check } = await keysOf(passphrase, head);
  yield Buffer.concat([head, check]);
  let number = 0;
  for await (const { bytes, isLast } of inPieces(plain, chunkBytes)) {
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(number++, isLast), { authTagLength: tagBytes });
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Opens the file chunk by chunk, with the key from `keyOf`. Throws a BackupError at the first damaged chunk. */
export async function* opened(file: string, key: Buffer): AsyncGenerator<Buffer> {
  let number = 0;
  const chunks = createReadStream(file, { start: headBytes + checkBytes, highWaterMark: 1_048_576 });
  for await (const { bytes, isLast } of inPieces(chunks, chunkBytes + tagBytes)) {
    const plain = openChunk(key, nonceOf(number, isLast), bytes);
    if (plain === undefined) {
      const from = headBytes + checkBytes + number * (chunkBytes + tagBytes);
      throw new BackupError(`${file} is damaged or truncated: the data after byte ${from} was changed`);
    }
    yield plain;
    number += 1;
  }
}

/** Undefined if it was changed. */
function openChunk(key: Buffer, nonce: Buffer, bytes: Buffer): Buffer | undefined {
  if (bytes.length < tagBytes) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
  try {
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** The key of a backup's file. Throws a BackupError for another file and for a wrong passphrase. */
export async function keyOf(file: string, passphrase: string): Promise<Buffer> {
  const start = await headOf(file);
  const head = start.subarray(0, headBytes);
  if (start.length < headBytes + checkBytes || !head.subarray(0, magic.length).equals(magic)) {
    throw new BackupError(`${file} is not a Millrace backup`);
  }
  if (head[magic.length] !== format) throw new BackupError(`${file} was made by a newer Millrace`);
  const { key, check } = await keysOf(passphrase, head);
  if (!timingSafeEqual(check, start.subarray(headBytes)))
    throw new BackupError(`${file} was encrypted with another passphrase`);
  return key;
}

async function headOf(file: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  try {
    for await (const part of createReadStream(file, { end: headBytes + checkBytes - 1 })) parts.push(part);
  } catch (error) {
    throw new BackupError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  return Buffer.concat(parts);
}

/** The salt in the head makes the key unique to this file, so that nonces may count from zero. */
async function keysOf(passphrase: string, head: Buffer): Promise<{ key: Buffer; check: Buffer }> {
  const derived = await derive(passphrase.normalize("NFC"), head.subarray(-saltBytes), 64, scryptCost);
  const check = createHmac("sha256", derived.subarray(32)).update(head).digest().subarray(0, checkBytes);
  return { key: derived.subarray(0, 32), check };
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 0, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** The same bytes in pieces of one size. The last one may be shorter, and is yielded even if empty. */
async function* inPieces(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const part of source) {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part]);
    let from = 0;
    for (; rest.length - from > size; from += size) yield { bytes: rest.subarray(from, from + size), isLast: false };
    rest = rest.subarray(from);
  }
  yield { bytes: rest, isLast: true };
}
