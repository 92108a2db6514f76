import type { RunLimit } from "#lib/executions/nodes/run-limit.ts";
import { countStarted } from "#lib/executions/statistics/count-runs.ts";
import { intArray, textArray, timeArray } from "#lib/platform/array-parameter.ts";
import { Batcher } from "#lib/platform/batcher.ts";
import { inTransaction, isUnavailable, query, type RunStatement } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import type { LogRecord, NodeRecord } from "./node-record.ts";
import { bytesOf, type RecordKind, recordColumns, recordKindOf, recordsBytes, writeRecords } from "./store-columns.ts";
import { untilAvailable } from "./until-available.ts";
import { writeEvents } from "./write-events.ts";

/** A run as first written: `pending` for a worker, or `running` in the process that starts it at once. */
export interface NewExecution {
  readonly id: string;
  readonly workspaceId: string;
  readonly flowId: string;
  readonly flowName: string;
  readonly flowVersion: number;
  readonly status: "pending" | "running";
  readonly triggerType: string;
  /** JSON text of `{body, headers, query, method}`. */
  readonly trigger: string;
  readonly source: string;
  readonly metadata: string;
  readonly startedAt: string;
  readonly timeoutMs: number;
  readonly originalExecutionId: string | null;
  readonly fromNode: string | null;
  /** The process that runs it; null while pending. */
  readonly leaseOwner: string | null;
  /** For a flow that limits its runs: the run is held until its turn. */
  readonly limit: RunLimit | null;
  /** The version of the flow's row (`xmin`) that the run was created from, if it came from the cache; else null. */
  readonly flowRow: string | null;
}

/** The flow has changed since it was cached: nothing was stored. */
export class StaleFlow extends Error {
  constructor() {
    super("the flow has changed");
    this.name = "StaleFlow";
  }
}

/** Seconds that a claim lasts without a heartbeat. */
export const leaseSeconds = 10;

/** The number of parameters of `insertRuns`. */
export const runColumnsCount = 18;

// PostgreSQL replans a statement each time that arrays of known length are short, which takes longer than running it.
// So the first array of each list of rows is a subquery, whose length it cannot know.

/**
 * The statement that stores runs; its first parameters are their columns. `condition` selects among `n`, the rows to
 * store. `along`: CTEs that write more about the stored runs (`made`), each preceded by a comma.
 */
export function insertRuns(condition = "true", along = ""): string {
  // A run starts when its record is stored, whether or not a worker is free.
  const started = { changed: "made", status: "'running'", at: "made.started_at", durationMs: "NULL", output: "NULL" };
  return `
  made AS (
    INSERT INTO execution (id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source,
      metadata, started_at, timeout_ms, original_execution_id, from_node, lease_owner, concurrency_key,
      concurrency_limit, concurrency_policy, held, fence, lease_until)
    SELECT n.*, n.concurrency_key IS NOT NULL, CASE WHEN n.status = 'running' THEN 1 ELSE 0 END,
      CASE WHEN n.status = 'running' THEN now() + interval '${leaseSeconds} seconds' END
    FROM unnest((SELECT $1::text[]), $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[],
      $10::text[], $11::timestamptz[], $12::int[], $13::text[], $14::text[], $15::text[], $16::text[], $17::int[],
      $18::text[])
      AS n(id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source, metadata,
        started_at, timeout_ms, original_execution_id, from_node, lease_owner, concurrency_key)
    WHERE ${condition}
    ON CONFLICT (id) DO NOTHING
    RETURNING id, workspace_id, flow_id, flow_name, source, started_at),
  events AS (${writeEvents(started)})
  ${along}
  SELECT id FROM made`;
}

const firstKnown = runColumnsCount + 1;
const insertWith = (kind: RecordKind) =>
  `WITH ${insertRuns(
    `n.id NOT IN (
      SELECT k.id FROM unnest((SELECT $${firstKnown}::text[]), $${firstKnown + 1}::text[], $${firstKnown + 2}::text[]) AS k(id, flow_id, flow_row)
      LEFT JOIN flow f ON f.id = k.flow_id AND f.xmin = k.flow_row::xid WHERE f.id IS NULL)`,
    writeRecords({ kind, first: firstKnown + 3, owner: "made" }),
  )}`;
const insert: Readonly<Record<RecordKind, string>> = {
  none: insertWith("none"),
  nodes: insertWith("nodes"),
  "nodes-and-logs": insertWith("nodes-and-logs"),
};

/** A run to store, with what it did before its record was written. */
interface Beginning {
  readonly execution: NewExecution;
  readonly nodes: readonly NodeRecord[];
  readonly logs: readonly LogRecord[];
}

const batcher = () =>
  singleton(
    "insert-execution",
    () =>
      new Batcher<Beginning, boolean>({
        handle: insertAll,
        itemsMax: 200,
        bytesOf: ({ execution, nodes, logs }) =>
          bytesOf(execution.trigger) + bytesOf(execution.metadata) + recordsBytes(nodes, logs),
        itemsEnough: 10,
        batchesMax: 2,
        tryAlone: (error) => !isUnavailable(error),
      }),
  );

/**
 * Stores a run's record and what it has done so far; resolves once all that is on disk. Concurrent calls share one
 * statement. Throws StaleFlow.
 */
export async function insertExecution(
  execution: NewExecution,
  { nodes, logs }: Pick<Beginning, "nodes" | "logs"> = { nodes: [], logs: [] },
): Promise<void> {
  if (!(await batcher().add({ execution, nodes, logs }))) throw new StaleFlow();
}

const insertAlone = `WITH ${insertRuns()}`;

/** Further writes in the transaction that stores runs: before them, and after them unless they existed already. */
export interface WrittenAlong {
  readonly before?: (run: RunStatement) => Promise<void>;
  readonly after?: (run: RunStatement) => Promise<void>;
}

/** Stores runs together with further writes. Not for runs from a cached flow (`flowRow`). */
export async function insertTogether(
  executions: readonly NewExecution[],
  { before, after }: WrittenAlong,
): Promise<void> {
  const isMade = await untilAvailable(patienceMs, () =>
    inTransaction(async (run) => {
      await before?.(run);
      const made = await run("insert-runs", insertAlone, columnsOfRuns(executions));
      if (made.length > 0) await after?.(run);
      return made.length > 0;
    }),
  );
  if (isMade) countStarted(executions);
}

/** A caller is waiting, so report an unavailable database soon. */
const patienceMs = 1_500;

async function insertAll(beginnings: readonly Beginning[]): Promise<boolean[]> {
  const rows = beginnings.map(({ execution }) => execution);
  const ofRun = <Row>({ execution }: Beginning, records: readonly Row[]) =>
    records.map((record) => ({ ...record, executionId: execution.id }));
  const known = rows.filter((row) => row.flowRow !== null);
  const nodes = beginnings.flatMap((beginning) => ofRun(beginning, beginning.nodes));
  const logs = beginnings.flatMap((beginning) => ofRun(beginning, beginning.logs));
  const kind = recordKindOf(nodes, logs);
  const values = [
    ...columnsOfRuns(rows),
    textArray(known.map((row) => row.id)),
    textArray(known.map((row) => row.flowId)),
    textArray(known.map((row) => row.flowRow)),
    ...recordColumns(kind, nodes, logs),
  ];
  const made = await untilAvailable(patienceMs, () =>
    query<{ id: string }>(`insert-with-${kind}`, insert[kind], values),
  );
  const stored = new Set(made.map((row) => row.id));
  countStarted(rows.filter(({ id }) => stored.has(id)));
  const missing = known.filter(({ id }) => !stored.has(id)).map(({ id }) => id);
  for (const id of await storedBefore(missing)) stored.add(id);
  return rows.map((row) => row.flowRow === null || stored.has(row.id));
}

/** Those of these runs that are stored: a write's answer may be lost after the write succeeded. */
async function storedBefore(ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await query<{ id: string }>("find-stored", "SELECT id FROM execution WHERE id = ANY($1::text[])", [ids]);
  return rows.map((row) => row.id);
}

/** The parameters of `insertRuns`. */
export function columnsOfRuns(rows: readonly NewExecution[]): Buffer[] {
  return [
    textArray(rows.map((row) => row.id)),
    textArray(rows.map((row) => row.workspaceId)),
    textArray(rows.map((row) => row.flowId)),
    textArray(rows.map((row) => row.flowName)),
    intArray(rows.map((row) => row.flowVersion)),
    textArray(rows.map((row) => row.status)),
    textArray(rows.map((row) => row.triggerType)),
    textArray(rows.map((row) => row.trigger)),
    textArray(rows.map((row) => row.source)),
    textArray(rows.map((row) => row.metadata)),
    timeArray(rows.map((row) => row.startedAt)),
    intArray(rows.map((row) => row.timeoutMs)),
    textArray(rows.map((row) => row.originalExecutionId)),
    textArray(rows.map((row) => row.fromNode)),
    textArray(rows.map((row) => row.leaseOwner)),
    textArray(rows.map((row) => row.limit?.key ?? null)),
    intArray(rows.map((row) => row.limit?.most ?? null)),
    textArray(rows.map((row) => row.limit?.policy ?? null)),
  ];
}
