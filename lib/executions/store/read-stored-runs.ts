import { iteratingTypes } from "#lib/nodes/registry.ts";
import { isUnavailable, query } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { noRecords, type RunRecords, type Warning } from "./node-record.ts";
import { readRecords } from "./read-records.ts";
import { recordedWarnings } from "./recorded-outcomes.ts";

/** The stored state of a run to resume, or why it cannot be read. */
export type StoredRun = { readonly records: RunRecords; readonly warnings: readonly Warning[] } | Unreadable;

export interface Unreadable {
  readonly problem: string;
}

// Neither length needs the text itself: PostgreSQL keeps it next to the reference to a large value.
const measure = `
  SELECT r.id,
    (SELECT coalesce(sum(coalesce(octet_length(n.output), 0) + CASE WHEN n.type = ANY($2::text[]) THEN coalesce(octet_length(n.input), 0)
      ELSE 0 END), 0) FROM node_execution n WHERE n.execution_id = r.id)
    + (SELECT coalesce(sum(octet_length(w.state)), 0) FROM execution_wait w WHERE w.execution_id = r.id) AS bytes
  FROM unnest($1::text[]) AS r(id)`;

/** The most that a run within its limits can have stored: waits and loops hold copies of earlier outputs. */
export const recordsBytesMax = () => 3 * env().outputs.runBytes;

/**
 * The stored state of these runs, by run. They are read together; if that fails, one by one, so that an unreadable one
 * is reported and affects no other. Rejects only while the database is unavailable.
 */
export async function readStoredRuns(ids: readonly string[]): Promise<ReadonlyMap<string, StoredRun>> {
  if (ids.length === 0) return new Map();
  const sizes = await query<{ id: string; bytes: string }>("measure-records", measure, [ids, iteratingTypes]);
  const found = new Map<string, StoredRun>();
  for (const { id, bytes } of sizes) {
    const size = Number(bytes);
    if (size > recordsBytesMax())
      found.set(id, { problem: `it has ${size} bytes of outputs, more than a run may have` });
  }
  const readable = ids.filter((id) => !found.has(id));
  for (const [id, run] of await readTogether(readable)) found.set(id, run);
  return found;
}

async function readTogether(ids: readonly string[]): Promise<Map<string, StoredRun>> {
  try {
    const [records, warnings] = await Promise.all([readRecords(ids), recordedWarnings(ids)]);
    return new Map(ids.map((id) => [id, { records: records.get(id) ?? noRecords, warnings: warnings.get(id) ?? [] }]));
  } catch (error) {
    const [first] = ids;
    if (isUnavailable(error) || first === undefined) throw error;
    if (ids.length === 1) return new Map([[first, unreadable(error)]]);
    const found = new Map<string, StoredRun>();
    for (const id of ids) for (const [, run] of await readTogether([id])) found.set(id, run);
    return found;
  }
}

export function unreadable(error: unknown): Unreadable {
  return { problem: error instanceof Error ? error.message : String(error) };
}
