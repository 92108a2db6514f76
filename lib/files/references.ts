// Which runs, tests and rows name a file. It is noted before they are stored: a process that dies in between leaves a note of
// nothing, which the sweep removes, and never a run whose file may go.
import { query, type RunStatement } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";

export type OwnerKind = "run" | "test" | "row";

/** One text counts for this many files. */
const filesMax = 10_000;
const atOnce = 1_000;
const mark = "file_";
const idCharacters = 31;

/** The ids of files that a JSON text names, wherever in it. */
export function filesIn(text: string | null | undefined, found = new Set<string>()): Set<string> {
  if (!text) return found;
  for (let at = text.indexOf(mark); at !== -1 && found.size < filesMax; at = text.indexOf(mark, at + 1)) {
    const id = text.slice(at, at + idCharacters);
    if (isId("file", id)) found.add(id);
  }
  return found;
}

// A file that has just lost its last owner, or is about to go, is kept: its time begins again.
const noting = (workspace: string) => `
  WITH found AS (
    SELECT f.id, f.touched_at FROM file f WHERE f.id = ANY($3::text[]) AND f.state = 'stored' AND ${workspace}
    ORDER BY f.id FOR KEY SHARE),
  touched AS (
    UPDATE file f SET touched_at = now() FROM found
    WHERE f.id = found.id AND found.touched_at < now() - interval '1 hour')
  INSERT INTO file_reference (kind, owner_id, file_id) SELECT $1, $2, id FROM found ON CONFLICT DO NOTHING`;

const noteIn = noting("f.workspace_id = $4");
const noteOfRun = noting("f.workspace_id = (SELECT e.workspace_id FROM execution e WHERE e.id = $2)");

/** Notes that an owner names these files, as far as they are its workspace's. */
export async function noteFiles(
  owner: { readonly kind: OwnerKind; readonly id: string; readonly workspaceId: string },
  ids: ReadonlySet<string>,
  run: RunStatement = query,
): Promise<void> {
  for (const part of inParts(ids)) await run("note-files", noteIn, [owner.kind, owner.id, part, owner.workspaceId]);
}

/** The same for a run that is stored already. */
export async function noteFilesOfRun(executionId: string, ids: ReadonlySet<string>): Promise<void> {
  for (const part of inParts(ids)) await query("note-files-of-run", noteOfRun, ["run", executionId, part]);
}

/** Forgets which files an owner names, but for those that it still does. */
export async function forgetFiles(
  kind: OwnerKind,
  ownerId: string,
  kept: ReadonlySet<string>,
  run: RunStatement = query,
): Promise<void> {
  const forget = `
    WITH gone AS (
      DELETE FROM file_reference WHERE kind = $1 AND owner_id = $2 AND file_id <> ALL($3::text[]) RETURNING file_id)
    UPDATE file SET touched_at = now() FROM gone WHERE file.id = gone.file_id`;
  await run("forget-file-references", forget, [kind, ownerId, [...kept]]);
}

function inParts(ids: ReadonlySet<string>): string[][] {
  const all = [...ids];
  const parts: string[][] = [];
  for (let at = 0; at < all.length; at += atOnce) parts.push(all.slice(at, at + atOnce));
  return parts;
}
