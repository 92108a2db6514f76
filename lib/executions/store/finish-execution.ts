import { noteFilesOfStored } from "#lib/executions/files/note-files.ts";
import { runWatch } from "#lib/executions/live/watch-runs.ts";
import { countEnded, withShard } from "#lib/executions/statistics/count-ended.ts";
import { Batcher } from "#lib/platform/batcher.ts";
import { inTransaction, isUnavailable, query, type RunStatement } from "#lib/platform/database.ts";
import { countFinished } from "#lib/platform/metrics.ts";
import { type Columns, int, RowsParameter, text } from "#lib/platform/rows-parameter.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { foldJournal } from "./folded-journal.ts";
import { durationBetween, endColumns, type FinishedRun } from "./run-row.ts";
import { isOnlyRun } from "./runs-in-process.ts";
import {
  bytesOf,
  type RecordKind,
  recordColumns,
  recordKindOf,
  recordKinds,
  recordsBytes,
  writeRecords,
} from "./store-columns.ts";
import { untilAvailable } from "./until-available.ts";
import { sharedBytesMin, writeEvents, writeFailures } from "./write-events.ts";

const ends = new RowsParameter(
  {
    id: text((run) => run.executionId),
    fence: int((run) => run.fence),
    reason: text((run) => run.reason),
    journal: text((run) => (isFolded(run) ? foldJournal(run) : null)),
    ...endColumns,
  } satisfies Columns<FinishedRun>,
  1,
);
const shard = `$${ends.next}::int`;

// Takes the output from the parameters, so that it is copied only for subscribers.
const end = {
  changed: "done",
  status: "done.status",
  at: "done.completed_at",
  durationMs: "done.duration_ms",
  output: `(${ends.at("output")})[array_position(${ends.at("id")}, done.id)]`,
};

interface Form {
  readonly kind: RecordKind;
  readonly withErrors: boolean;
  /** Some outputs are so large that their events share a body. */
  readonly large: boolean;
}

// The condition on the status decides who ends a run: of two attempts, only one finds it open. Counts and events are
// written in the same statement, so they cannot disagree with the rows.
const finishText = ({ kind, withErrors, large }: Form) => `
  WITH done AS (
    UPDATE execution e SET
      status = f.status, completed_at = f.completed_at, output = f.output, error_message = f.error_message,
      error_node_id = f.error_node_id, error_code = f.error_code, warnings = f.warnings,
      nodes_executed = coalesce(f.nodes_executed, (SELECT count(*) FROM node_execution n
        WHERE n.execution_id = e.id AND n.status IN ('completed', 'failed'))),
      error_count = f.error_count, warning_count = f.warning_count, journal = f.journal,
      duration_ms = ${durationBetween("e.started_at", "f.completed_at")},
      cancelled_at = CASE WHEN f.status = 'cancelled' THEN f.completed_at END, reason = f.reason,
      lease_owner = NULL, lease_until = NULL, held = false
    FROM ${ends.as("f")}
    WHERE e.id = f.id AND (f.fence IS NULL OR e.fence = f.fence) AND e.completed_at IS NULL
    RETURNING e.id, e.workspace_id, e.flow_id, e.flow_name, e.source, e.started_at, e.completed_at, e.status,
      e.duration_ms, e.error_message, e.error_node_id, e.error_code, e.trigger_type)
  ${writeRecords({ kind, first: ends.next + 1, owner: "done" })},
  ${countEnded({ ended: "done", sign: "+", shard, withErrors })},
  ${writeEvents(end, large)}
  ${withErrors ? `, failures AS (${writeFailures("done")})` : ""}
  SELECT id, status, duration_ms FROM done`;

const both = [true, false];
const finish = new Map(
  recordKinds.flatMap((kind) =>
    both.flatMap((withErrors) =>
      both.map((large) => [nameOf({ kind, withErrors, large }), finishText({ kind, withErrors, large })] as const),
    ),
  ),
);

function nameOf({ kind, withErrors, large }: Form): string {
  return `finish-with-${kind}${withErrors ? "-and-errors" : ""}${large ? "-large" : ""}`;
}

/** Nodes and log entries stored as one value: almost all runs have fewer, and most are never opened. */
const foldedMax = 50;
const foldedBytesMax = 1_048_576;

function isFolded({ isComplete = false, nodes, logs }: FinishedRun): boolean {
  return isComplete && nodes.length + logs.length <= foldedMax && isFoldable({ nodes, logs });
}

/** Larger runs are stored as rows at once, so that reading one node does not unfold them all. */
export function isFoldable({ nodes, logs }: Pick<FinishedRun, "nodes" | "logs">): boolean {
  return recordsBytes(nodes, logs) <= foldedBytesMax;
}

const patienceMs = 120_000;

const batcher = () =>
  singleton(
    "finish-execution",
    () =>
      new Batcher<FinishedRun, boolean>({
        handle: finishAll,
        itemsMax: 200,
        bytesOf: ({ output, nodes, logs }) => bytesOf(output) + recordsBytes(nodes, logs),
        batchesMax: 2,
        isAlone: isOnlyRun,
        tryAlone: (error) => !isUnavailable(error),
      }),
  );

/** Ends a run. Returns false, having written nothing, if it had already ended or belongs to another claim. */
export function finishExecution(run: FinishedRun): Promise<boolean> {
  return batcher().add(run);
}

async function finishAll(runs: readonly FinishedRun[]): Promise<boolean[]> {
  const first = new Map<string, FinishedRun>();
  const later: FinishedRun[] = [];
  // A statement ends a run once; a second attempt, such as a concurrent cancellation, goes into the next statement.
  for (const run of runs) {
    if (first.has(run.executionId)) later.push(run);
    else first.set(run.executionId, run);
  }
  // In the order in which leases are renewed.
  const ordered = [...first.values()].toSorted((a, b) => (a.executionId < b.executionId ? -1 : 1));
  const won = await finishEach(ordered);
  const wonLater = later.length > 0 ? await finishAll(later) : [];
  return runs.map((run) =>
    first.get(run.executionId) === run ? won.has(run.executionId) : wonLater[later.indexOf(run)] === true,
  );
}

interface EndedRow extends Record<string, unknown> {
  id: string;
  status: string;
  duration_ms: number;
}

interface Attempt {
  readonly transaction: string;
  readonly ended: readonly EndedRow[];
}

/**
 * Ends runs and, in the same transaction, calls `along` if any of them was open. Returns those that it ended, even if
 * the commit's acknowledgement was lost.
 */
export async function finishTogether(
  runs: readonly FinishedRun[],
  along: (run: RunStatement, count: number) => Promise<void>,
): Promise<ReadonlySet<string>> {
  let earlier: Attempt | undefined;
  await noteFilesOfStored(runs, patienceMs);
  const attempt = async () => {
    const last = earlier;
    const ended = await inTransaction(async (run) => {
      const rows = await write(runs, run);
      if (rows.length === 0) return rows;
      await along(run, rows.length);
      const [current] = await run<{ id: string }>("this-transaction", "SELECT pg_current_xact_id()::text AS id", []);
      earlier = { transaction: current?.id ?? "", ended: rows };
      return rows;
    });
    return ended.length === 0 && last !== undefined && (await isCommitted(last)) ? last.ended : ended;
  };
  return endedIds(await untilAvailable(patienceMs, attempt));
}

/**
 * Ends runs without records within a transaction. To be called once that has committed: the result, which returns the
 * runs that it ended.
 */
export async function finishWithin(
  run: RunStatement,
  runs: readonly FinishedRun[],
): Promise<() => ReadonlySet<string>> {
  const rows = runs.length === 0 ? [] : await write(runs, run);
  return () => endedIds(rows);
}

async function isCommitted({ transaction }: Attempt): Promise<boolean> {
  const text = "SELECT pg_xact_status($1::xid8) = 'committed' AS is_committed";
  const [row] = await query<{ is_committed: boolean | null }>("is-committed", text, [transaction]);
  return row?.is_committed === true;
}

async function finishEach(runs: readonly FinishedRun[]): Promise<ReadonlySet<string>> {
  await noteFilesOfStored(runs, patienceMs);
  return endedIds(await untilAvailable(patienceMs, () => write(runs, query)));
}

function endedIds(rows: readonly EndedRow[]): ReadonlySet<string> {
  for (const row of rows) countFinished(row.status, row.duration_ms);
  const ended = new Set(rows.map((row) => row.id));
  runWatch().changed(ended);
  return ended;
}

function write(runs: readonly FinishedRun[], send: RunStatement): Promise<EndedRow[]> {
  const rest = runs.filter((run) => !isFolded(run));
  const nodes = rest.flatMap((run) => run.nodes.map((node) => ({ ...node, executionId: run.executionId })));
  const logs = rest.flatMap((run) => run.logs.map((entry) => ({ ...entry, executionId: run.executionId })));
  const values = ends.values(runs);
  const kind = recordKindOf(nodes, logs);
  const withErrors = runs.some((run) => run.error !== null);
  const large = runs.some((run) => bytesOf(run.output) >= sharedBytesMin);
  const records = recordColumns(kind, nodes, logs);
  const name = nameOf({ kind, withErrors, large });
  return withShard((shard) => send<EndedRow>(name, finish.get(name) ?? "", [...values, shard, ...records]));
}
