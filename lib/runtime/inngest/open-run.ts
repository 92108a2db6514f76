import type { RunRecords } from "#lib/executions/node-record.ts";
import { readStoredRuns } from "#lib/executions/read-stored-runs.ts";
import type { Run } from "#lib/executions/run.ts";
import { query } from "#lib/platform/database.ts";
import { type ClaimedRow, claimedColumns, openRow } from "../claim-runs.ts";
import { warnOfBranches } from "../drive-run.ts";
import { leaseMinutes } from "./lease.ts";

/** A run as one call of a function finds it. */
export interface OpenedRun {
  readonly run: Run;
  readonly records: RunRecords;
  /** Steps that this run of the function began: the others were done before it. */
  readonly own: ReadonlySet<string>;
  /** Its end makes room for another run of its flow. */
  readonly isLimited: boolean;
}

// Every call is a sign of life.
const open = `
  UPDATE execution e SET lease_until = now() + interval '${leaseMinutes} minutes', wake_at = NULL
  WHERE e.id = $1 AND e.fence = $2 AND e.lease_owner IN ($3, $3 || ':leaving') AND e.status = 'running'
  RETURNING ${claimedColumns}`;

const findOwn = "SELECT node_id FROM node_execution WHERE execution_id = $1 AND fence = $2";

// The time in which at least one step was at work. Waiting is none, and a loop's is that of its body.
const worked = `
  SELECT coalesce(sum(extract(epoch FROM upper(span) - lower(span)) * 1000), 0)::float8 AS ms
  FROM (SELECT unnest(range_agg(tstzrange(n.started_at, greatest(n.started_at, n.completed_at)))) AS span
    FROM node_execution n
    WHERE n.execution_id = $1 AND n.fence > 0 AND n.completed_at IS NOT NULL AND n.type <> 'loop'
      AND NOT EXISTS (SELECT 1 FROM execution_wait w WHERE w.execution_id = $1 AND w.step_id = n.node_id)) AS spans`;

/** Reads the run with all that is recorded of it. Null when it has ended, cannot be read, or is not this claim's any more. */
export async function openRun(executionId: string, fence: number, owner: string): Promise<OpenedRun | null> {
  const [row] = await query<ClaimedRow & Record<string, unknown>>("open-run", open, [executionId, fence, owner]);
  if (row === undefined) return null;
  const [found, own, [work]] = await Promise.all([
    readStoredRuns([executionId]),
    query<{ node_id: string }>("own-steps", findOwn, [executionId, fence]),
    query<{ ms: number }>("worked-ms", worked, [executionId]),
  ]);
  const stored = found.get(executionId);
  if (stored === undefined) throw new Error(`nothing could be read of ${executionId}`);
  const run = await openRow({ ...row, work_ms: Math.round(row.work_ms + (work?.ms ?? 0)) }, stored);
  if (run === null || "problem" in stored) return null;
  warnOfBranches(run);
  return {
    run,
    records: stored.records,
    own: new Set(own.map((step) => step.node_id)),
    isLimited: row.concurrency_key !== null,
  };
}
