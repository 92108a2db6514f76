import { createHmac, timingSafeEqual } from "node:crypto";
import { notFound } from "#lib/errors.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { isId } from "#lib/platform/ids.ts";
import { type FileRow, fileColumns, type StoredFile, storedFile } from "./stored-file.ts";
import { openFile } from "./use-files.ts";

/** A URL at which anyone may read a file. `until`: when it expires, in epoch milliseconds. */
export function signedAddress(id: string, until: number): string {
  const seconds = Math.ceil(until / 1_000);
  return `${env().publicUrl}/api/v1/files/${id}?expires=${seconds}&signature=${signatureOf(id, seconds)}`;
}

function signatureOf(id: string, seconds: number): string {
  return createHmac("sha256", env().authSecret).update(`file ${id} ${seconds}`).digest("base64url");
}

/**
 * Opens the file of a signed URL. Throws NOT_FOUND if the signature is wrong, the URL has expired, or the file is gone.
 */
export async function openSigned(id: string, expires: string, signature: string) {
  const isValid = isId("file", id) && /^\d{1,12}$/.test(expires) && isSame(signature, signatureOf(id, Number(expires)));
  if (!isValid || Number(expires) * 1_000 < nowMs()) throw notFound("File");
  const [row] = await queryPlanned<FileRow>(`SELECT ${fileColumns} FROM file WHERE id = $1 AND state = 'stored'`, [id]);
  if (row === undefined) throw notFound("File");
  const file: StoredFile = storedFile(row);
  return { file, open: (range?: { first: number; last: number }) => openFile(file, range) };
}

function isSame(given: string, own: string): boolean {
  const [givenBytes, ownBytes] = [Buffer.from(given), Buffer.from(own)];
  return givenBytes.length === ownBytes.length && timingSafeEqual(givenBytes, ownBytes);
}
