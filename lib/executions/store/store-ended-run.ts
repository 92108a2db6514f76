import { countEnded, withShard } from "#lib/executions/statistics/count-ended.ts";
import { countFinished, countStarted } from "#lib/executions/statistics/count-runs.ts";
import { intArray, textArray, timeArray } from "#lib/platform/array-parameter.ts";
import { Batcher } from "#lib/platform/batcher.ts";
import { isDuplicate, isUnavailable, query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import type { FinishedRun } from "./finish-execution.ts";
import { foldJournal } from "./folded-journal.ts";
import type { NewExecution } from "./insert-execution.ts";
import { bytesOf, recordsBytes, storableText } from "./store-columns.ts";
import { untilAvailable } from "./until-available.ts";

interface EndedRun {
  readonly execution: NewExecution;
  readonly finished: FinishedRun;
}

// What runs of one flow share is sent once and checked once: the flow must be unchanged, and nobody may have
// subscribed, because the events of a start and an end need the two statements that make these changes. The first array
// of each list of rows is a subquery (see insert-execution.ts).
const store = (withErrors: boolean) => `
  WITH started AS MATERIALIZED (
    SELECT s.* FROM unnest((SELECT $1::int[]), $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[],
        $8::text[], $9::int[])
      AS s(place, workspace_id, flow_id, flow_name, flow_version, flow_row, trigger_type, source, timeout_ms)
    JOIN flow f ON f.id = s.flow_id AND (s.flow_row IS NULL OR f.xmin = s.flow_row::xid)
    WHERE NOT EXISTS (SELECT 1 FROM webhook_subscription w WHERE w.workspace_id = s.workspace_id AND w.active)),
  done AS (
    INSERT INTO execution (id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source,
      metadata, started_at, timeout_ms, fence, completed_at, output, error_message, error_node_id, error_code, warnings,
      nodes_executed, error_count, warning_count, journal, duration_ms)
    SELECT n.id, s.workspace_id, s.flow_id, s.flow_name, s.flow_version, n.status, s.trigger_type, n.trigger, s.source,
      n.metadata, n.started_at, s.timeout_ms, 1, n.completed_at, n.output, n.error_message, n.error_node_id,
      n.error_code, n.warnings, n.nodes_executed, n.error_count, n.warning_count, n.journal,
      least(greatest(0, round(extract(epoch FROM n.completed_at - n.started_at) * 1000)), 2147483647)::int
    FROM unnest((SELECT $10::int[]), $11::text[], $12::text[], $13::text[], $14::text[], $15::timestamptz[],
        $16::timestamptz[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::int[], $23::int[],
        $24::int[], $25::text[])
      AS n(place, id, status, trigger, metadata, started_at, completed_at, output, error_message, error_node_id,
        error_code, warnings, nodes_executed, error_count, warning_count, journal)
    JOIN started s ON s.place = n.place
    RETURNING id, workspace_id, flow_id, source, started_at, status, duration_ms, error_message),
  ${countEnded({ ended: "done", sign: "+", shard: "$26::int", withErrors })}
  SELECT id, source, status, duration_ms FROM done`;
const storeAny = store(true);
const storeUnfailed = store(false);

/** A caller is waiting, so report an unavailable database soon. */
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
        itemsEnough: 10,
        batchesMax: 2,
        tryAlone: (error) => !isUnavailable(error),
      }),
  );

/**
 * Stores a run that ended before its record was written, all in one row. Returns false if nothing was stored: a
 * subscription needs both events, the flow has changed, or the run exists already because an earlier answer was lost.
 * The caller then falls back to two statements, which find out.
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
  try {
    const rows = await storeRows(runs);
    countStarted(rows);
    for (const row of rows) countFinished(row.status, row.duration_ms);
    const stored = new Set(rows.map((row) => row.id));
    return runs.map(({ execution }) => stored.has(execution.id));
  } catch (error) {
    // Stored before, with its answer lost: reported as not stored, so that the two statements find it.
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

/** The statement's parameters except the shard. */
function columnsOf(runs: readonly EndedRun[]): Buffer[] {
  const executions = runs.map(({ execution }) => execution);
  const ends = runs.map(({ finished }) => finished);
  const { starts, places } = sharedStarts(executions);
  return [
    intArray(starts.map((_, place) => place)),
    textArray(starts.map((start) => start.workspaceId)),
    textArray(starts.map((start) => start.flowId)),
    textArray(starts.map((start) => start.flowName)),
    intArray(starts.map((start) => start.flowVersion)),
    textArray(starts.map((start) => start.flowRow)),
    textArray(starts.map((start) => start.triggerType)),
    textArray(starts.map((start) => start.source)),
    intArray(starts.map((start) => start.timeoutMs)),
    intArray(places),
    textArray(executions.map((run) => run.id)),
    textArray(ends.map((end) => end.status)),
    textArray(executions.map((run) => run.trigger)),
    textArray(executions.map((run) => run.metadata)),
    timeArray(executions.map((run) => run.startedAt)),
    timeArray(ends.map((end) => end.completedAt)),
    textArray(ends.map((end) => end.output)),
    textArray(ends.map((end) => end.error && storableText(end.error.message))),
    textArray(ends.map((end) => end.error?.nodeId ?? null)),
    textArray(ends.map((end) => end.error?.code ?? null)),
    textArray(ends.map((end) => end.warnings)),
    intArray(ends.map((end) => end.nodesExecuted)),
    intArray(ends.map((end) => end.errorCount)),
    intArray(ends.map((end) => end.warningCount)),
    textArray(ends.map((end) => foldJournal(end))),
  ];
}

/** One row per distinct start, and for each run the index of its own. */
function sharedStarts(executions: readonly NewExecution[]): { starts: NewExecution[]; places: number[] } {
  const starts: NewExecution[] = [];
  const places = executions.map((run) => {
    const known = starts.findIndex((start) => isStartedAlike(start, run));
    return known === -1 ? starts.push(run) - 1 : known;
  });
  return { starts, places };
}

function isStartedAlike(one: NewExecution, other: NewExecution): boolean {
  return (
    one.flowId === other.flowId &&
    one.flowVersion === other.flowVersion &&
    one.flowRow === other.flowRow &&
    one.flowName === other.flowName &&
    one.workspaceId === other.workspaceId &&
    one.triggerType === other.triggerType &&
    one.source === other.source &&
    one.timeoutMs === other.timeoutMs
  );
}
