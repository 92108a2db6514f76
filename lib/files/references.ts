// Which runs, tests and rows refer to a file. References are recorded before their owner is stored: a process that dies
// in between leaves a dangling reference, which the sweep removes, and never a run whose file may be removed.
import { query, type RunStatement } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";

export type OwnerKind = "run" | "test" | "row";

/** References found per text. */
const filesMax = 10_000;
const atOnce = 1_000;
const mark = "file_";
const idCharacters = 31;

/** The ids of files that a JSON text names, anywhere in it. */
export function filesIn(text: string | null | undefined, found = new Set<string>()): Set<string> {
  if (!text) return found;
  for (let at = text.indexOf(mark); at !== -1 && found.size < filesMax; at = text.indexOf(mark, at + 1)) {
    const id = text.slice(at, at + idCharacters);
    if (isId("file", id)) found.add(id);
  }
  return found;
}

// Touches the file, so that one which has just lost its last owner, or is about to be removed, is kept.
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

/** Records that an owner names these files, if they belong to its workspace. */
export async function noteFiles(
  owner: { readonly kind: OwnerKind; readonly id: string; readonly workspaceId: string },
  ids: ReadonlySet<string>,
  run: RunStatement = query,
): Promise<void> {
  for (const part of inParts(ids)) await run("note-files", noteIn, [owner.kind, owner.id, part, owner.workspaceId]);
}

/** The same for a run that is already stored. */
export async function noteFilesOfRun(executionId: string, ids: ReadonlySet<string>): Promise<void> {
  for (const part of inParts(ids)) await query("note-files-of-run", noteOfRun, ["run", executionId, part]);
}

/** Removes an owner's references, except those to files that it still names. */
export async function forgetFiles(
  kind: OwnerKind,
  ownerId: string,
  known: ReadonlySet<string>,
  run: RunStatement = query,
): Promise<void> {
  const forget = `
    WITH gone AS (
      DELETE FROM file_reference WHERE kind = $1 AND owner_id = $2 AND file_id <> ALL($3::text[]) RETURNING file_id)
    UPDATE file SET touched_at = now() FROM gone WHERE file.id = gone.file_id`;
  await run("forget-file-references", forget, [kind, ownerId, [...known]]);
}

function inParts(ids: ReadonlySet<string>): string[][] {
  const all = [...ids];
  const parts: string[][] = [];
  for (let index = 0; index < all.length; index += atOnce) parts.push(all.slice(index, index + atOnce));
  return parts;
}
