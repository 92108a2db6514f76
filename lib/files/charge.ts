// The limit on all files of a workspace. Every byte is charged before it is stored, by statements that add and compare
// atomically, so that concurrent uploads cannot exceed the limit.
import { AppError } from "#lib/errors.ts";
import { query, queryPlanned } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { contentTypeDefault, type Place } from "./stored-file.ts";

/** The amount charged at a time for an incoming file of unknown size. */
export const chargeStepBytes = 8_388_608;

// $1 workspace, $2 bytes, $3 the limit
const charging = `
  room AS (
    INSERT INTO file_usage AS u (workspace_id, bytes) SELECT $1, $2::bigint WHERE $2::bigint <= $3::bigint
    ON CONFLICT (workspace_id) DO UPDATE SET bytes = u.bytes + excluded.bytes
      WHERE u.bytes + excluded.bytes <= $3::bigint
    RETURNING 1)`;

const begin = `
  WITH ${charging}
  INSERT INTO file (id, workspace_id, name, content_type, state, place, charged, size)
  SELECT $4, $1, '', '${contentTypeDefault}', 'incoming', $5, $2::bigint, 0 FROM room RETURNING id`;

const increase = `
  WITH ${charging}
  UPDATE file SET charged = charged + $2::bigint, touched_at = now()
  FROM room WHERE id = $4 AND state = 'incoming' RETURNING id`;

const inline = `
  WITH ${charging}
  INSERT INTO file (id, workspace_id, name, content_type, state, place, charged, size, sha256, content)
  SELECT $4, $1, $5, $6, 'stored', 'database', $2::bigint, $2::bigint, $7, $8::bytea FROM room RETURNING id`;

const finish = `
  WITH done AS (
    UPDATE file f SET state = 'stored', name = $2, content_type = $3, size = $4::bigint, charged = $4::bigint,
      sha256 = $5, touched_at = now()
    FROM (SELECT id, charged FROM file WHERE id = $1 AND state = 'incoming' FOR UPDATE) o
    WHERE f.id = o.id RETURNING f.workspace_id, o.charged - f.size AS unused),
  refund AS (
    UPDATE file_usage u SET bytes = greatest(0, u.bytes - done.unused) FROM done WHERE u.workspace_id = done.workspace_id)
  SELECT workspace_id FROM done`;

// Files are marked first and their bytes deleted afterwards: if the process dies in between, another one finishes.
const markRemoved = (condition: string, lock = "FOR UPDATE SKIP LOCKED") => `
  WITH gone AS (
    UPDATE file f SET state = 'removed', charged = 0, content = NULL, touched_at = now()
    FROM (SELECT id, charged FROM file WHERE ${condition} ORDER BY id ${lock}) o
    WHERE f.id = o.id RETURNING f.id, f.place, f.workspace_id, o.charged),
  refund AS (
    UPDATE file_usage u SET bytes = greatest(0, u.bytes - g.bytes)
    FROM (SELECT workspace_id, sum(charged)::bigint AS bytes FROM gone GROUP BY 1 ORDER BY 1) g
    WHERE u.workspace_id = g.workspace_id)
  SELECT id, place FROM gone`;

export interface Marked extends Record<string, unknown> {
  readonly id: string;
  readonly place: Place;
}

/** A small file, with its bytes. */
export interface InlineFile {
  readonly id: string;
  readonly name: string;
  readonly contentType: string;
  readonly sha256: string;
  readonly content: Buffer;
}

/** Stores a small file. Throws PAYLOAD_TOO_LARGE if the workspace has no room. */
export async function storeInline(workspaceId: string, { id, name, contentType, sha256, content }: InlineFile) {
  await charged(workspaceId, content.length, inline, [id, name, contentType, sha256, content]);
}

/** Records an upload and charges its first bytes. Throws PAYLOAD_TOO_LARGE. */
export async function beginIncoming(workspaceId: string, id: string, place: Place, bytes: number): Promise<void> {
  await charged(workspaceId, bytes, begin, [id, place]);
}

/** Charges more bytes of an upload, which also shows that it is alive. Throws PAYLOAD_TOO_LARGE. */
export async function increaseCharge(workspaceId: string, id: string, bytes: number): Promise<void> {
  await charged(workspaceId, bytes, increase, [id]);
}

async function charged(workspaceId: string, bytes: number, text: string, values: readonly unknown[]): Promise<void> {
  const { workspaceBytes } = env().files;
  const rows = await queryPlanned(text, [workspaceId, bytes, workspaceBytes, ...values]);
  if (rows.length > 0) return;
  throw new AppError("PAYLOAD_TOO_LARGE", "The workspace has no room for this file", {
    details: { files: `may take at most ${workspaceBytes} bytes together` },
  });
}

/** Turns an upload into a stored file and refunds what was overcharged; false if the upload was abandoned meanwhile. */
export async function finishIncoming(
  id: string,
  { name, contentType, size, sha256 }: { name: string; contentType: string; size: number; sha256: string },
): Promise<boolean> {
  return (await query("finish-file", finish, [id, name, contentType, size, sha256])).length > 0;
}

const markIncoming = markRemoved("id = $1 AND state = 'incoming'");
// Waits for a write that is about to refer to a file: a skipped file would seem not to exist.
const markOwn = markRemoved("id = ANY($1::text[]) AND workspace_id = $2 AND state = 'stored'", "FOR UPDATE");

/** Abandons an upload; returns it if it was still in progress. */
export function markAbandoned(id: string): Promise<Marked[]> {
  return query("give-up-file", markIncoming, [id]);
}

/** Marks files of a workspace as removed, which hides them. Returns those that existed. */
export function markDeleted(workspaceId: string, ids: readonly string[]): Promise<Marked[]> {
  return query("delete-files", markOwn, [ids, workspaceId]);
}

/** Marks files that match a condition on `file`, a batch at a time. */
export function markWhere(condition: string, values: readonly unknown[]): Promise<Marked[]> {
  return queryPlanned(markRemoved(condition), values);
}
