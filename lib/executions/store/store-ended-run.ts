import { noteFilesOfNew } from "#lib/executions/files/note-files.ts";
import { countEnded, withShard } from "#lib/executions/statistics/count-ended.ts";
import { Batcher } from "#lib/platform/batcher.ts";
import { isDuplicate, isUnavailable, query } from "#lib/platform/database.ts";
import { countFinished, countStarted } from "#lib/platform/metrics.ts";
import { type Column, type Columns, int, namesOf, RowsParameter, text, within } from "#lib/platform/rows-parameter.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { foldJournal } from "./folded-journal.ts";
import {
  durationBetween,
  endColumns,
  type FinishedRun,
  flowColumns,
  type NewExecution,
  startColumns,
} from "./run-row.ts";
import { isOnlyRun } from "./runs-in-process.ts";
import { bytesOf, recordsBytes } from "./store-columns.ts";
import { untilAvailable } from "./until-available.ts";

interface EndedRun {
  readonly execution: NewExecution;
  readonly finished: FinishedRun;
}

// What runs of one flow share is sent and checked once: the flow must be unchanged, nobody may have subscribed, and no
// flow may listen for failures, because the events of a start and an end need the two statements that make these
// changes.
interface Start {
  readonly place: number;
  readonly run: NewExecution;
}
const starts = new RowsParameter(
  {
    place: int(({ place }) => place),
    flow_row: text(({ run }) => run.flowRow),
    ...within(flowColumns, ({ run }: Start) => run),
  } satisfies Columns<Start>,
  1,
);

interface Ended extends EndedRun {
  /** The index of its start. */
  readonly place: number;
}
const own = {
  ...within(startColumns, ({ execution }: EndedRun) => execution),
  ...within(endColumns, ({ finished }: EndedRun) => finished),
};
const ended = new RowsParameter(
  {
    place: int(({ place }) => place),
    journal: text(({ finished }) => foldJournal(finished)),
    ...own,
  } satisfies Columns<Ended>,
  starts.next,
);
const shard = `$${ended.next}::int`;

const store = (withErrors: boolean) => `
  WITH started AS MATERIALIZED (
    SELECT s.* FROM ${starts.as("s")}
    JOIN flow f ON f.id = s.flow_id AND (s.flow_row IS NULL OR f.xmin = s.flow_row::xid)
    WHERE NOT EXISTS (SELECT 1 FROM webhook_subscription w WHERE w.workspace_id = s.workspace_id AND w.active)),
  done AS (
    INSERT INTO execution (${namesOf(own)}, ${namesOf(flowColumns)}, journal, fence, duration_ms)
    SELECT ${namesOf(own, "n")}, ${namesOf(flowColumns, "s")}, n.journal, 1,
      ${durationBetween("n.started_at", "n.completed_at")}
    FROM ${ended.as("n")}
    JOIN started s ON s.place = n.place
    WHERE n.status NOT IN ('failed', 'timeout') OR NOT EXISTS (
      SELECT 1 FROM flow_listener l WHERE l.workspace_id = s.workspace_id AND l.kind = 'error')
    RETURNING id, workspace_id, flow_id, source, started_at, status, duration_ms, error_message),
  ${countEnded({ ended: "done", sign: "+", shard, withErrors })}
  SELECT id, source, status, duration_ms FROM done`;
const storeAny = store(true);
const storeUnfailed = store(false);

/** A caller is waiting: report an unavailable database soon. */
const patienceMs = 1_500;

const batcher = () =>
  singleton(
    "store-ended-run",
    () =>
      new Batcher<EndedRun, boolean>({
        handle: storeAll,
        itemsMax: 200,
        bytesOf: ({ execution, finished: { output, nodes, logs } }) =>
          bytesOf(execution.trigger) + bytesOf(output) + recordsBytes(nodes, logs),
        batchItemsMin: 10,
        batchesMax: 2,
        smallBatchesMax: 1,
        isAlone: isOnlyRun,
        tryAlone: (error) => !isUnavailable(error),
      }),
  );

/**
 * Stores a run that ended before its record was written, all in one row. Returns false if nothing was stored: a
 * subscription needs both events, the flow has changed, or the run already exists because an acknowledgement was lost.
 * The caller then falls back to two statements, which tell these apart.
 */
export function storeEndedRun(execution: NewExecution, finished: FinishedRun): Promise<boolean> {
  return batcher().add({ execution, finished });
}

interface StoredRow {
  id: string;
  source: string;
  status: string;
  duration_ms: number;
}

async function storeAll(runs: readonly EndedRun[]): Promise<boolean[]> {
  const named = runs.map(({ execution, finished: { nodes, output } }) => ({ execution, nodes, output }));
  await noteFilesOfNew(named, patienceMs);
  try {
    const rows = await storeRows(runs);
    countStarted(rows);
    for (const row of rows) countFinished(row.status, row.duration_ms);
    const stored = new Set(rows.map((row) => row.id));
    return runs.map(({ execution }) => stored.has(execution.id));
  } catch (error) {
    // Already stored, with its acknowledgement lost: reported as not stored, so that the two statements find it.
    if (runs.length === 1 && isDuplicate(error)) return [false];
    throw error;
  }
}

async function storeRows(runs: readonly EndedRun[]): Promise<StoredRow[]> {
  const hasFailed = runs.some(({ finished }) => finished.error !== null);
  const [name, text] = hasFailed ? ["store-ended-runs", storeAny] : ["store-unfailed-runs", storeUnfailed];
  const values = columnsOf(runs);
  return await withShard((shard) => untilAvailable(patienceMs, () => query<StoredRow>(name, text, [...values, shard])));
}

/**
 * The statement's parameters except the shard: one row per distinct start, and each run with the index of its start.
 */
function columnsOf(runs: readonly EndedRun[]): Buffer[] {
  const distinct: NewExecution[] = [];
  const placed = runs.map((run) => {
    const known = distinct.findIndex((start) => haveSameStart(start, run.execution));
    return { ...run, place: known === -1 ? distinct.push(run.execution) - 1 : known };
  });
  return [...starts.values(distinct.map((run, index) => ({ run, place: index }))), ...ended.values(placed)];
}

const shared = Object.values<Column<NewExecution>>(flowColumns);

function haveSameStart(a: NewExecution, b: NewExecution): boolean {
  return a.flowRow === b.flowRow && shared.every(({ of }) => of(a) === of(b));
}
