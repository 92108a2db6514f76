import type { JsonObject } from "#lib/engine/json.ts";
import type { Iterating } from "#lib/engine/loop.ts";
import type { WaitKind, Wake } from "#lib/engine/wait.ts";
import { itemTexts } from "#lib/json/item-texts.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { iteratingTypes } from "#lib/nodes/registry.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { isUnavailable, query } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import type { StoredLog } from "./journal.ts";
import { type BegunRecord, noRecords, type RunRecords, type StoredWait, type Warning } from "./node-record.ts";
import { wakeOf } from "./record-wait.ts";
import { recordedOutcomes, recordedWarnings } from "./recorded-outcomes.ts";

/** All stored steps of these runs, by run. */
export async function readRecords(ids: readonly string[]): Promise<ReadonlyMap<string, RunRecords>> {
  if (ids.length === 0) return new Map();
  const [outcomes, begun, waits] = await Promise.all([recordedOutcomes(ids), readBegun(ids), readWaits(ids)]);
  return new Map(
    ids.map((id) => [
      id,
      {
        outcomes: outcomes.get(id) ?? noRecords.outcomes,
        begun: begun.get(id) ?? noRecords.begun,
        waits: waits.get(id) ?? noRecords.waits,
      },
    ]),
  );
}

interface BegunRow {
  execution_id: string;
  node_id: string;
  started_at: Date;
  loop: string | null;
}

const begunText = `
  SELECT execution_id, node_id, started_at, CASE WHEN type = ANY($2::text[]) THEN input END AS loop FROM node_execution
  WHERE execution_id = ANY($1::text[]) AND status = 'running'`;

async function readBegun(ids: readonly string[]): Promise<Map<string, Map<string, BegunRecord>>> {
  const rows = await query<BegunRow>("read-begun", begunText, [ids, iteratingTypes]);
  return await byRun(rows, async ({ node_id: stepId, started_at: startedAt, loop }) => [
    stepId,
    { startedAt: startedAt.toISOString(), loop: loop === null ? null : await readLoop(loop) },
  ]);
}

/** The items of a started loop; before that, its record holds the node's config. */
async function readLoop(json: string): Promise<Iterating | null> {
  const read = (await parseOwnJson(json)) as Partial<Iterating>;
  return read.status === "iterating" ? { ...(read as Iterating), items: await itemTexts(read.items ?? []) } : null;
}

interface WakeRow {
  step_id: string;
  kind: WaitKind;
  resumed_at: Date | null;
  value: string | null;
  child_status: string | null;
  child_ended_at: Date | null;
  child_output: string | null;
  child_error: string | null;
}

interface WaitRow extends WakeRow {
  execution_id: string;
  until: Date | null;
  state: string;
}

const waitsText = `
  SELECT w.execution_id, w.step_id, w.kind, w.until, w.state, w.resumed_at, w.value,
    c.status AS child_status, c.completed_at AS child_ended_at, c.output AS child_output,
    coalesce(c.error_message, c.reason) AS child_error
  FROM execution_wait w
  LEFT JOIN execution c ON c.id = w.waited_id
  WHERE w.execution_id = ANY($1::text[]) AND w.state IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM node_execution n
      WHERE n.execution_id = w.execution_id AND n.node_id = w.step_id AND n.completed_at IS NOT NULL)`;

/** What the steps of these runs wait for, and what has woken them since; by run and step. */
async function readWaits(ids: readonly string[]): Promise<Map<string, Map<string, StoredWait>>> {
  const rows = await query<WaitRow>("read-waits", waitsText, [ids]);
  return await byRun(rows, async (row) => {
    const until = row.until === null ? null : row.until.getTime();
    const state = (await parseOwnJson(row.state)) as JsonObject;
    return [row.step_id, { request: { kind: row.kind, until, state }, wake: await wakeOfRow(row) }];
  });
}

const wakesText = `
  SELECT w.step_id, w.kind, w.resumed_at, w.value, c.status AS child_status, c.completed_at AS child_ended_at,
    c.output AS child_output, coalesce(c.error_message, c.reason) AS child_error
  FROM execution_wait w LEFT JOIN execution c ON c.id = w.waited_id
  WHERE w.execution_id = $1 AND w.step_id = ANY($2::text[]) AND w.state IS NOT NULL`;

/** What has woken these steps of a run, for those that are awake. */
export async function readWakes(id: string, stepIds: readonly string[]): Promise<Map<string, Wake>> {
  const rows = await query<WakeRow>("read-wakes", wakesText, [id, stepIds]);
  const wakes = new Map<string, Wake>();
  for (const row of rows) {
    const wake = await wakeOfRow(row);
    if (wake !== null) wakes.set(row.step_id, wake);
  }
  return wakes;
}

const wokenText = `
  SELECT DISTINCT w.execution_id AS id FROM unnest($1::text[], $2::text[]) AS s(id, step_id)
  JOIN execution_wait w ON w.execution_id = s.id AND w.step_id = s.step_id AND w.state IS NOT NULL
  LEFT JOIN execution c ON c.id = w.waited_id
  WHERE w.resumed_at IS NOT NULL OR (w.kind = 'execution' AND (c.id IS NULL OR c.status NOT IN ('pending', 'running')))`;

/** Those of these runs with a step that was woken. */
export async function findWoken(waiting: readonly (readonly [id: string, stepId: string])[]): Promise<string[]> {
  if (waiting.length === 0) return [];
  const columns = [waiting.map(([id]) => id), waiting.map(([, stepId]) => stepId)];
  return (await query<{ id: string }>("find-woken", wokenText, columns)).map(({ id }) => id);
}

async function wakeOfRow(row: WakeRow): Promise<Wake | null> {
  return (await endOfChild(row)) ?? (await wakeOf(row));
}

/** The end of the execution that a step waits for. A deleted execution counts as ended. */
async function endOfChild(row: WakeRow): Promise<Wake | null> {
  const { kind, child_status: status, child_ended_at: at, child_output: output, child_error: error } = row;
  if (kind !== "execution" || status === "pending" || status === "running") return null;
  const value = { status: status ?? "deleted", output: output === null ? null : await parseOwnJson(output), error };
  return { by: "execution", at: (at ?? timeNow()).toISOString(), value };
}

async function byRun<Row extends { execution_id: string }, T>(
  rows: readonly Row[],
  entry: (row: Row) => Promise<[string, T]>,
): Promise<Map<string, Map<string, T>>> {
  const found = new Map<string, Map<string, T>>();
  for (const row of rows) {
    const own = found.get(row.execution_id) ?? new Map<string, T>();
    own.set(...(await entry(row)));
    found.set(row.execution_id, own);
  }
  return found;
}

/** The stored state of a run to resume, or why it cannot be read. */
export type StoredRun =
  | { readonly records: RunRecords; readonly warnings: readonly Warning[]; readonly log: StoredLog }
  | Unreadable;

export interface Unreadable {
  readonly problem: string;
}

// Neither length needs the text itself: PostgreSQL keeps it with the reference to a large value.
const measure = `
  SELECT r.id,
    (SELECT coalesce(sum(coalesce(octet_length(n.output), 0) + CASE WHEN n.type = ANY($2::text[]) THEN coalesce(octet_length(n.input), 0)
      ELSE 0 END), 0) FROM node_execution n WHERE n.execution_id = r.id)
    + (SELECT coalesce(sum(octet_length(w.state)), 0) FROM execution_wait w WHERE w.execution_id = r.id) AS bytes,
    l.entries, l.characters
  FROM unnest($1::text[]) AS r(id) CROSS JOIN LATERAL (
    SELECT count(*)::int AS entries,
      coalesce(sum(octet_length(message) + coalesce(octet_length(data), 0)), 0)::float8 AS characters
    FROM log_entry WHERE execution_id = r.id) AS l`;

interface Measured extends StoredLog, Record<string, unknown> {
  readonly id: string;
  readonly bytes: string;
}

/** How much is stored of a run: bytes of outputs, and its log. */
export interface StoredSize {
  readonly bytes: number;
  readonly log: StoredLog;
}

/** How much is stored of these runs, by run. */
export async function measureStoredRuns(ids: readonly string[]): Promise<ReadonlyMap<string, StoredSize>> {
  if (ids.length === 0) return new Map();
  const rows = await query<Measured>("measure-records", measure, [ids, iteratingTypes]);
  return new Map(rows.map(({ id, bytes, ...log }) => [id, { bytes: Number(bytes), log }]));
}

/** The most that a run within its limits can have stored: waits and loops hold copies of earlier outputs. */
const recordsBytesMax = () => 3 * env().outputs.runBytes;

/**
 * The stored state of these measured runs, by run. Reads them together or, if that fails, one by one, so that an
 * unreadable run affects no other. Rejects only while the database is unavailable.
 */
export async function readStoredRuns(sizes: ReadonlyMap<string, StoredSize>): Promise<ReadonlyMap<string, StoredRun>> {
  const found = new Map<string, StoredRun>();
  for (const [id, { bytes }] of sizes) {
    if (bytes > recordsBytesMax())
      found.set(id, { problem: `it has ${bytes} bytes of outputs, more than a run may have` });
  }
  const readable = [...sizes.keys()].filter((id) => !found.has(id));
  for (const [id, run] of await readTogether(readable, sizes)) found.set(id, run);
  return found;
}

async function readTogether(
  ids: readonly string[],
  sizes: ReadonlyMap<string, StoredSize>,
): Promise<Map<string, StoredRun>> {
  try {
    const [records, warnings] = await Promise.all([readRecords(ids), recordedWarnings(ids)]);
    return new Map(
      ids.map((id) => {
        const log = sizes.get(id)?.log ?? { entries: 0, characters: 0 };
        return [id, { records: records.get(id) ?? noRecords, warnings: warnings.get(id) ?? [], log }];
      }),
    );
  } catch (error) {
    const [first] = ids;
    if (isUnavailable(error) || first === undefined) throw error;
    if (ids.length === 1) return new Map([[first, unreadable(error)]]);
    const found = new Map<string, StoredRun>();
    for (const id of ids) for (const [, run] of await readTogether([id], sizes)) found.set(id, run);
    return found;
  }
}

export function unreadable(error: unknown): Unreadable {
  return { problem: error instanceof Error ? error.message : String(error) };
}
