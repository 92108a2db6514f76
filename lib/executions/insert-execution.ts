import { Batcher } from "#lib/platform/batcher.ts";
import { isUnavailable, query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { untilAvailable } from "./until-available.ts";
import { writeEvents } from "./write-events.ts";

/** A run as it is first written: `pending` for a worker, or `running` in the process that will run it at once. */
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
}

/** Seconds for which a claim holds without a heartbeat. */
export const leaseSeconds = 10;

/**
 * The statement that stores runs; parameters 1 to 15 are their columns. `condition`: which of them, told in terms of
 * `n`, the row that is to be stored.
 */
export function insertRuns(condition = "true"): string {
  // A run has started when its record is there, whether or not somebody is free to do it.
  const started = { changed: "made", status: "'running'", at: "made.started_at", durationMs: "NULL", output: "NULL" };
  return `
  made AS (
    INSERT INTO execution (id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source,
      metadata, started_at, timeout_ms, original_execution_id, from_node, lease_owner, fence, lease_until)
    SELECT n.*, CASE WHEN n.status = 'running' THEN 1 ELSE 0 END,
      CASE WHEN n.status = 'running' THEN now() + interval '${leaseSeconds} seconds' END
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[],
      $10::text[], $11::timestamptz[], $12::int[], $13::text[], $14::text[], $15::text[])
      AS n(id, workspace_id, flow_id, flow_name, flow_version, status)
    WHERE ${condition}
    ON CONFLICT (id) DO NOTHING
    RETURNING id, workspace_id, flow_id, flow_name, started_at),
  events AS (${writeEvents(started)})
  SELECT id FROM made`;
}

const insert = `WITH ${insertRuns()}`;

const batcher = () =>
  singleton(
    "insert-execution",
    () => new Batcher({ handle: insertAll, itemsMax: 200, batchesMax: 2, tryAlone: (error) => !isUnavailable(error) }),
  );

/** Stores the record of a run; when this resolves it is on disk. Calls that come together share one statement. */
export async function insertExecution(execution: NewExecution): Promise<void> {
  await batcher().add(execution);
}

/** A caller is waiting: a database that is away is told soon. */
const patienceMs = 1_500;

async function insertAll(rows: readonly NewExecution[]): Promise<undefined[]> {
  await untilAvailable(patienceMs, () => query("insert-executions", insert, columnsOfRuns(rows)));
  return rows.map(() => undefined);
}

/** The parameters of `insertRuns`. */
export function columnsOfRuns(rows: readonly NewExecution[]): unknown[][] {
  return [
    rows.map((row) => row.id),
    rows.map((row) => row.workspaceId),
    rows.map((row) => row.flowId),
    rows.map((row) => row.flowName),
    rows.map((row) => row.flowVersion),
    rows.map((row) => row.status),
    rows.map((row) => row.triggerType),
    rows.map((row) => row.trigger),
    rows.map((row) => row.source),
    rows.map((row) => row.metadata),
    rows.map((row) => row.startedAt),
    rows.map((row) => row.timeoutMs),
    rows.map((row) => row.originalExecutionId),
    rows.map((row) => row.fromNode),
    rows.map((row) => row.leaseOwner),
  ];
}
