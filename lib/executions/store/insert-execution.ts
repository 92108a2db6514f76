import { noteFilesOfNew } from "#lib/executions/files/note-files.ts";
import { Batcher } from "#lib/platform/batcher.ts";
import { inTransaction, isUnavailable, query, type RunStatement } from "#lib/platform/database.ts";
import { countStarted } from "#lib/platform/metrics.ts";
import { type Columns, namesOf, RowsParameter, text } from "#lib/platform/rows-parameter.ts";
import { singleton } from "#lib/platform/singleton.ts";
import type { LogRecord, NodeRecord } from "./node-record.ts";
import { flowColumns, type NewExecution, newLease, openColumns, startColumns } from "./run-row.ts";
import { isOnlyRun } from "./runs-in-process.ts";
import { bytesOf, type RecordKind, recordColumns, recordKindOf, recordsBytes, writeRecords } from "./store-columns.ts";
import { untilAvailable } from "./until-available.ts";
import { writeEvents } from "./write-events.ts";

/** The flow has changed since it was cached: nothing was stored. */
export class StaleFlow extends Error {
  constructor() {
    super("the flow has changed");
    this.name = "StaleFlow";
  }
}

/** The first parameters of `insertRuns`. */
export const newRuns = new RowsParameter({ ...startColumns, ...flowColumns, ...openColumns }, 1);

/**
 * The statement that stores runs; its first parameters are `newRuns`. `condition` selects among `n`, the rows to
 * store. `along`: CTEs that write more about the stored runs (`made`), each preceded by a comma.
 */
export function insertRuns(condition = "true", along = ""): string {
  // A run starts when its record is stored, whether or not a worker is free.
  const started = { changed: "made", status: "'running'", at: "made.started_at", durationMs: "NULL", output: "NULL" };
  return `
  made AS (
    INSERT INTO execution (${namesOf(newRuns.columns)}, held, fence, lease_until)
    SELECT n.*, n.concurrency_key IS NOT NULL, CASE WHEN n.status = 'running' THEN 1 ELSE 0 END,
      CASE WHEN n.status = 'running' THEN ${newLease} END
    FROM ${newRuns.as("n")}
    WHERE ${condition}
    ON CONFLICT (id) DO NOTHING
    RETURNING id, workspace_id, flow_id, flow_name, source, started_at),
  ${writeEvents(started)}
  ${along}
  SELECT id FROM made`;
}

/** Runs from a cached flow, which are stored only if the flow is unchanged. */
const cached = new RowsParameter(
  {
    id: text((run) => run.id),
    flow_id: text((run) => run.flowId),
    flow_row: text((run) => run.flowRow),
  } satisfies Columns<NewExecution>,
  newRuns.next,
);

const insertWith = (kind: RecordKind) =>
  `WITH ${insertRuns(
    `n.id NOT IN (
      SELECT k.id FROM ${cached.as("k")}
      LEFT JOIN flow f ON f.id = k.flow_id AND f.xmin = k.flow_row::xid WHERE f.id IS NULL)`,
    writeRecords({ kind, first: cached.next, owner: "made" }),
  )}`;
const insert: Readonly<Record<RecordKind, string>> = {
  none: insertWith("none"),
  nodes: insertWith("nodes"),
  "nodes-and-logs": insertWith("nodes-and-logs"),
};

/** A run to store, with what it did before its record was written. */
interface RunToStore {
  readonly execution: NewExecution;
  readonly nodes: readonly NodeRecord[];
  readonly logs: readonly LogRecord[];
}

const batcher = () =>
  singleton(
    "insert-execution",
    () =>
      new Batcher<RunToStore, boolean>({
        handle: insertAll,
        itemsMax: 200,
        bytesOf: ({ execution, nodes, logs }) =>
          bytesOf(execution.trigger) + bytesOf(execution.metadata) + recordsBytes(nodes, logs),
        batchItemsMin: 10,
        batchesMax: 2,
        isAlone: isOnlyRun,
        tryAlone: (error) => !isUnavailable(error),
      }),
  );

/**
 * Stores a run's record and what it has done so far; resolves once all of it is on disk. Concurrent calls share a
 * statement. Throws StaleFlow.
 */
export async function insertExecution(
  execution: NewExecution,
  { nodes, logs }: Pick<RunToStore, "nodes" | "logs"> = { nodes: [], logs: [] },
): Promise<void> {
  if (!(await batcher().add({ execution, nodes, logs }))) throw new StaleFlow();
}

const insertAlone = `WITH ${insertRuns()}`;

/** More writes in the transaction that stores runs: before them, and after them unless they already existed. */
export interface WrittenAlong {
  /** Claims what the runs are for; if another process has claimed it, nothing is stored. */
  readonly take?: (run: RunStatement) => Promise<boolean>;
  readonly before?: (run: RunStatement) => Promise<void>;
  readonly after?: (run: RunStatement) => Promise<void>;
}

/** Stores runs together with more writes; false if the claim failed. Not for runs from a cached flow (`flowRow`). */
export async function insertTogether(
  executions: readonly NewExecution[],
  { take, before, after }: WrittenAlong,
): Promise<boolean> {
  await noteFilesOfNew(
    executions.map((execution) => ({ execution })),
    patienceMs,
  );
  const { isTaken, isMade } = await untilAvailable(patienceMs, () =>
    inTransaction(async (run) => {
      if (take !== undefined && !(await take(run))) return { isTaken: false, isMade: false };
      await before?.(run);
      const made = await run("insert-runs", insertAlone, newRuns.values(executions));
      if (made.length > 0) await after?.(run);
      return { isTaken: true, isMade: made.length > 0 };
    }),
  );
  if (isMade) countStarted(executions);
  return isTaken;
}

/** A caller is waiting: report an unavailable database soon. */
const patienceMs = 1_500;

async function insertAll(runsToStore: readonly RunToStore[]): Promise<boolean[]> {
  await noteFilesOfNew(runsToStore, patienceMs);
  const rows = runsToStore.map(({ execution }) => execution);
  const ofRun = <Row>({ execution }: RunToStore, records: readonly Row[]) =>
    records.map((record) => ({ ...record, executionId: execution.id }));
  const known = rows.filter((row) => row.flowRow !== null);
  const nodes = runsToStore.flatMap((runToStore) => ofRun(runToStore, runToStore.nodes));
  const logs = runsToStore.flatMap((runToStore) => ofRun(runToStore, runToStore.logs));
  const kind = recordKindOf(nodes, logs);
  const values = [...newRuns.values(rows), ...cached.values(known), ...recordColumns(kind, nodes, logs)];
  const made = await untilAvailable(patienceMs, () =>
    query<{ id: string }>(`insert-with-${kind}`, insert[kind], values),
  );
  const stored = new Set(made.map((row) => row.id));
  countStarted(rows.filter(({ id }) => stored.has(id)));
  const missing = known.filter(({ id }) => !stored.has(id)).map(({ id }) => id);
  for (const id of await storedBefore(missing)) stored.add(id);
  return rows.map((row) => row.flowRow === null || stored.has(row.id));
}

/** Those of these runs that are stored: a write's acknowledgement may be lost after the write succeeded. */
async function storedBefore(ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await query<{ id: string }>("find-stored", "SELECT id FROM execution WHERE id = ANY($1::text[])", [ids]);
  return rows.map((row) => row.id);
}
