import { recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { query } from "#lib/platform/database.ts";
import { deleteFiles } from "./delete-files.ts";
import { findFile } from "./read-file.ts";
import { type IncomingFile, saveFile } from "./save-file.ts";
import type { FileReference } from "./stored-file.ts";

/** Stores a file that somebody uploads. Throws PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE. */
export async function uploadFile(actor: Actor, incoming: IncomingFile): Promise<FileReference> {
  const saved = await saveFile(actor.workspaceId, incoming);
  const { file: id, name, size } = saved;
  await recordWith(query, actor, { action: "file.uploaded", id, name, after: { size } });
  return saved;
}

/** Deletes a file, whatever names it. Throws NOT_FOUND. */
export async function deleteFile(actor: Actor, id: string): Promise<null> {
  const { name } = await findFile(actor.workspaceId, id);
  const deleted = await deleteFiles(actor.workspaceId, [id]);
  if (deleted.length === 0) throw notFound("File");
  await recordWith(query, actor, { action: "file.deleted", id, name });
  return null;
}
