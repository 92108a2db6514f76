import { recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { isStorableText } from "#lib/engine/flow.ts";
import { notFound } from "#lib/errors.ts";
import type { FileReference } from "#lib/nodes/files/file-access.ts";
import { query, queryPlanned } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { deleteFiles } from "./delete-files.ts";
import { readFromBucket } from "./places/bucket.ts";
import { type Range, readFromDisk, requireOnDisk } from "./places/disk.ts";
import { type IncomingFile, saveFile } from "./save-file.ts";
import { type FileRow, fileColumns, type StoredFile, storedFile } from "./stored-file.ts";

const find = `SELECT ${fileColumns} FROM file WHERE id = $1 AND workspace_id = $2 AND state = 'stored'`;
const findNamed = `
  SELECT ${fileColumns} FROM file WHERE workspace_id = $1 AND name = $2 AND state = 'stored' ORDER BY id DESC LIMIT 1`;
const readContent = "SELECT content FROM file WHERE id = $1 AND content IS NOT NULL";
const readRange = "SELECT substring(content FROM $2 FOR $3) AS content FROM file WHERE id = $1 AND content IS NOT NULL";

/** A file of the workspace. Throws NOT_FOUND. */
export async function findFile(workspaceId: string, id: string): Promise<StoredFile> {
  const [row] = isId("file", id) ? await query<FileRow>("find-file", find, [id, workspaceId]) : [];
  if (row === undefined) throw notFound("File");
  return storedFile(row);
}

/** The newest file of this name; null for none. */
export async function findNamedFile(workspaceId: string, name: string): Promise<StoredFile | null> {
  // A name that the database cannot store is no file's.
  if (!isStorableText(name)) return null;
  const [row] = await query<FileRow>("find-named-file", findNamed, [workspaceId, name]);
  return row === undefined ? null : storedFile(row);
}

/** The files whose name begins with `prefix`, by name; newest first among equal names. */
export async function listFiles(workspaceId: string, prefix: string, limit: number): Promise<StoredFile[]> {
  if (!isStorableText(prefix)) return [];
  const rows = await queryPlanned<FileRow>(
    `SELECT ${fileColumns} FROM file WHERE workspace_id = $1 AND state = 'stored' AND starts_with(name, $2)
     ORDER BY name, id DESC LIMIT $3`,
    [workspaceId, prefix, limit],
  );
  return rows.map(storedFile);
}

/** Streams a file's bytes. Throws SERVICE_UNAVAILABLE before the first one if they cannot be reached. */
export async function openFile({ file: id, place }: StoredFile, range?: Range): Promise<AsyncIterable<Buffer>> {
  if (place !== "database") return await openPlaced(place, id, range);
  const [text, values] =
    range === undefined ? [readContent, [id]] : [readRange, [id, range.first + 1, range.last - range.first + 1]];
  const [row] = await queryPlanned<{ content: Buffer }>(text, values);
  if (row === undefined) throw notFound("File");
  return inOnePart(row.content);
}

async function* inOnePart(content: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield content;
}

/** All bytes of a small file. The caller must check its size. */
export async function readFileBytes(file: StoredFile): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of await openFile(file)) parts.push(part);
  return Buffer.concat(parts);
}

/** Stores an uploaded file. Throws PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE. */
export async function uploadFile(actor: Actor, incoming: IncomingFile): Promise<FileReference> {
  const saved = await saveFile(actor.workspaceId, incoming);
  const { file: id, name, size } = saved;
  await recordWith(query, actor, { action: "file.uploaded", id, name, after: { size } });
  return saved;
}

/** Deletes a file, even if rows or runs refer to it. Throws NOT_FOUND. */
export async function deleteFile(actor: Actor, id: string): Promise<null> {
  const { name } = await findFile(actor.workspaceId, id);
  const deleted = await deleteFiles(actor.workspaceId, [id]);
  if (deleted.length === 0) throw notFound("File");
  await recordWith(query, actor, { action: "file.deleted", id, name });
  return null;
}

/** The bytes of a file that is not in the database. Throws SERVICE_UNAVAILABLE before the first one. */
export async function openPlaced(place: "disk" | "bucket", id: string, range?: Range): Promise<AsyncIterable<Buffer>> {
  if (place === "bucket") return await readFromBucket(id, range);
  await requireOnDisk(id);
  return readFromDisk(id, range);
}
