import { levelOf, query } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { type Marked, markDeleted } from "./charge.ts";
import { removeFromBucket } from "./places/bucket.ts";
import { removeFromDisk } from "./places/disk.ts";

/** Deletes files of a workspace; returns the ids of those that existed. */
export async function deleteFiles(workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const marked = await markDeleted(
    workspaceId,
    ids.filter((id) => isId("file", id)),
  );
  // They are already hidden: whatever fails here is finished by the sweep.
  await finishRemoval(marked).catch((error) =>
    logLine(levelOf(error), "The bytes of deleted files will be removed later", errorFields(error)),
  );
  return marked.map(({ id }) => id);
}

const forget = "DELETE FROM file WHERE id = ANY($1::text[]) AND state = 'removed'";
const postpone = "UPDATE file SET touched_at = now() WHERE id = ANY($1::text[]) AND state = 'removed'";

/** Whatever keeps this many files from being removed probably keeps all others too: they are tried later. */
const failuresMax = 5;

/**
 * Removes the bytes of files that are marked as removed, and then the files. One that fails is logged and tried again
 * after the others.
 */
export async function finishRemoval(marked: readonly Marked[]): Promise<void> {
  const removed: string[] = [];
  const failed: string[] = [];
  for (const { id, place } of marked) {
    if (failed.length === failuresMax) break;
    try {
      if (place === "disk") await removeFromDisk(id);
      if (place === "bucket") await removeFromBucket(id);
      removed.push(id);
    } catch (error) {
      failed.push(id);
      logLine("warning", "The bytes of a deleted file will be removed later", { file: id, ...errorFields(error) });
    }
  }
  if (removed.length > 0) await query("forget-files", forget, [removed]);
  if (failed.length > 0) await query("postpone-removal", postpone, [failed]);
}
