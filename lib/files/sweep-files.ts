import { queryPlanned } from "#lib/platform/database.ts";
import { type Marked, markWhere } from "./charge.ts";
import { finishRemoval } from "./delete-files.ts";
import { removeStaleUploads } from "./places/disk.ts";

/** An upload charges more every few megabytes: one that has not for this long is dead. */
const staleMs = 900_000;
const batchMax = 200;

const someOf = (where: string) =>
  `id = ANY(ARRAY(SELECT f.id FROM file f WHERE ${where} LIMIT ${batchMax} FOR UPDATE SKIP LOCKED))`;
const staleUploads = someOf(`f.state = 'incoming' AND f.touched_at < now() - make_interval(secs => $1 / 1000.0)`);

// PostgreSQL rechecks the condition if the row changes meanwhile, and a new reference touches its file.
const unreferenced = `id = ANY(ARRAY(
    SELECT f.id FROM file f JOIN workspace w ON w.id = f.workspace_id
    WHERE f.state = 'stored' AND f.touched_at < now() - interval '1 day'
      AND f.touched_at < now() - make_interval(days => coalesce(w.retention_days, $1::int))
      AND NOT EXISTS (SELECT FROM file_reference r WHERE r.file_id = f.id)
    LIMIT ${batchMax}))
  AND state = 'stored' AND touched_at < now() - interval '1 day'`;

const unfinished = `
  SELECT id, place FROM file WHERE state = 'removed' AND touched_at < now() - interval '1 minute'
  ORDER BY touched_at LIMIT ${batchMax}`;

// Recent references are kept: their owner may not be stored yet.
const ownerless = `
  WITH seen AS (
    SELECT kind, owner_id, file_id, created_at FROM file_reference
    WHERE (kind, owner_id, file_id) > ($1, $2, $3) ORDER BY kind, owner_id, file_id LIMIT 1000),
  gone AS (
    DELETE FROM file_reference r USING seen s
    WHERE r.kind = s.kind AND r.owner_id = s.owner_id AND r.file_id = s.file_id
      AND s.created_at < now() - interval '1 hour' AND NOT CASE s.kind
        WHEN 'run' THEN EXISTS (SELECT FROM execution e WHERE e.id = s.owner_id)
        WHEN 'test' THEN EXISTS (SELECT FROM flow_test t WHERE t.id = s.owner_id)
        ELSE EXISTS (SELECT FROM table_row t WHERE t.table_id = split_part(s.owner_id, '/', 1)
          AND t.id = split_part(s.owner_id, '/', 2)) END
    RETURNING r.file_id),
  released AS (UPDATE file f SET touched_at = now() FROM gone WHERE f.id = gone.file_id)
  SELECT kind, owner_id, file_id, (SELECT count(*) FROM gone)::int AS gone FROM seen
  ORDER BY kind DESC, owner_id DESC, file_id DESC LIMIT 1`;

interface Swept extends Record<string, unknown> {
  readonly kind: string;
  readonly owner_id: string;
  readonly file_id: string;
  readonly gone: number;
}

/**
 * Cleans up after killed processes: abandoned uploads, and deleted files whose bytes still exist. Returns how many.
 * Safe to run in several processes at once.
 */
export async function finishFiles(signal?: AbortSignal): Promise<number> {
  let finished = await removeStaleUploads(staleMs);
  finished += await removeAll(() => markWhere(staleUploads, [staleMs]), signal);
  const marked = await queryPlanned<Marked>(unfinished, []);
  await finishRemoval(marked);
  return finished + marked.length;
}

/**
 * Removes files that no run, test or row has named for as long as their workspace keeps runs; returns how many.
 * `retentionDays`: for workspaces without their own setting; undefined: forever.
 */
export async function sweepFiles(retentionDays: number | undefined, signal?: AbortSignal): Promise<number> {
  let after: Pick<Swept, "kind" | "owner_id" | "file_id"> = { kind: "", owner_id: "", file_id: "" };
  while (signal?.aborted !== true) {
    const [last] = await queryPlanned<Swept>(ownerless, [after.kind, after.owner_id, after.file_id]);
    if (last === undefined) break;
    after = last;
  }
  return await removeAll(() => markWhere(unreferenced, [retentionDays ?? null]), signal);
}

async function removeAll(mark: () => Promise<Marked[]>, signal: AbortSignal | undefined): Promise<number> {
  let removed = 0;
  while (signal?.aborted !== true) {
    const marked = await mark();
    await finishRemoval(marked);
    removed += marked.length;
    if (marked.length === 0) break;
  }
  return removed;
}
