import { intArray, textArray, timeArray } from "#lib/platform/array-parameter.ts";
import { Batcher } from "#lib/platform/batcher.ts";
import { isUnavailable, query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { countEnded } from "./count-ended.ts";
import { countFinished, countStarted } from "./count-runs.ts";
import type { FinishedRun } from "./finish-execution.ts";
import type { NewExecution } from "./insert-execution.ts";
import { withShard } from "./rollup-shard.ts";
import { storableText } from "./store-columns.ts";
import { foldJournal } from "./unfold-execution.ts";
import { untilAvailable } from "./until-available.ts";

interface EndedRun {
  readonly execution: NewExecution;
  readonly finished: FinishedRun;
}

// The flow must be as the run found it, and nobody may have subscribed: the events of a start and an end are written
// by the two statements that make these changes.
const store = `
  WITH done AS (
    INSERT INTO execution (id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source,
      metadata, started_at, timeout_ms, fence, completed_at, output, error_message, error_node_id, error_code, warnings,
      nodes_executed, error_count, warning_count, journal, duration_ms)
    SELECT n.id, n.workspace_id, n.flow_id, n.flow_name, n.flow_version, n.status, n.trigger_type, n.trigger, n.source,
      n.metadata, n.started_at, n.timeout_ms, 1, n.completed_at, n.output, n.error_message, n.error_node_id,
      n.error_code, n.warnings, n.nodes_executed, n.error_count, n.warning_count, n.journal,
      least(greatest(0, round(extract(epoch FROM n.completed_at - n.started_at) * 1000)), 2147483647)::int
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[],
      $10::text[], $11::timestamptz[], $12::int[], $13::text[], $14::timestamptz[], $15::text[], $16::text[],
      $17::text[], $18::text[], $19::text[], $20::int[], $21::int[], $22::int[], $23::text[])
      AS n(id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source, metadata,
        started_at, timeout_ms, flow_row, completed_at, output, error_message, error_node_id, error_code, warnings,
        nodes_executed, error_count, warning_count, journal)
    JOIN flow f ON f.id = n.flow_id AND (n.flow_row IS NULL OR f.xmin = n.flow_row::xid)
    WHERE NOT EXISTS (SELECT 1 FROM webhook_subscription s WHERE s.workspace_id = n.workspace_id AND s.active)
    ON CONFLICT (id) DO NOTHING
    RETURNING id, workspace_id, flow_id, source, started_at, status, duration_ms, error_message),
  ${countEnded({ ended: "done", sign: "+", shard: "$24::int" })}
  SELECT id, source, status, duration_ms FROM done`;

/** A caller is waiting: a database that is away is told soon. */
const patienceMs = 1_500;

const batcher = () =>
  singleton(
    "store-ended-run",
    () =>
      new Batcher<EndedRun, boolean>({
        handle: storeAll,
        itemsMax: 200,
        itemsEnough: 10,
        batchesMax: 2,
        tryAlone: (error) => !isUnavailable(error),
      }),
  );

/**
 * Stores a run that has ended before its record was written, all of it in one row. False when nothing was stored:
 * somebody is to be told of its start and its end, or the flow is another now; then it takes two statements.
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
  const executions = runs.map(({ execution }) => execution);
  const ends = runs.map(({ finished }) => finished);
  const values = [
    textArray(executions.map((run) => run.id)),
    textArray(executions.map((run) => run.workspaceId)),
    textArray(executions.map((run) => run.flowId)),
    textArray(executions.map((run) => run.flowName)),
    intArray(executions.map((run) => run.flowVersion)),
    textArray(ends.map((end) => end.status)),
    textArray(executions.map((run) => run.triggerType)),
    textArray(executions.map((run) => run.trigger)),
    textArray(executions.map((run) => run.source)),
    textArray(executions.map((run) => run.metadata)),
    timeArray(executions.map((run) => run.startedAt)),
    intArray(executions.map((run) => run.timeoutMs)),
    textArray(executions.map((run) => run.flowRow)),
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
  const rows = await withShard((shard) =>
    untilAvailable(patienceMs, () => query<StoredRow>("store-ended-runs", store, [...values, shard])),
  );
  countStarted(rows);
  for (const row of rows) countFinished(row.status, row.duration_ms);
  const stored = new Set(rows.map((row) => row.id));
  return executions.map(({ id }) => stored.has(id));
}
