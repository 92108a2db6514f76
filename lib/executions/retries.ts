import type { ExecutionStatus } from "#lib/contract/executions/executions.ts";
import type { ShownRetry } from "#lib/contract/executions/statuses.ts";
import { query, queryPlanned } from "#lib/platform/database.ts";
import { conditionsOf, type ExecutionFilter, parameters } from "./search/execution-filter.ts";

/** How many retries of retries are followed. */
const depthMax = 20;

// Of each run's retries, one that completed, or else the latest; then of that one's retries.
const ofRuns = `
  WITH RECURSIVE chain AS (
    SELECT r.id AS of, r.id, ''::text AS status, 0 AS depth FROM unnest($1::text[]) AS r(id)
    UNION ALL
    SELECT chain.of, retry.id, retry.status, chain.depth + 1 FROM chain CROSS JOIN LATERAL (
      SELECT id, status FROM execution WHERE original_execution_id = chain.id
      ORDER BY (status = 'completed') DESC, started_at DESC, id DESC LIMIT 1) AS retry
    WHERE chain.status <> 'completed' AND chain.depth < ${depthMax})
  SELECT DISTINCT ON (of) of, id, status FROM chain WHERE depth > 0 ORDER BY of, depth DESC`;

interface Row extends Record<string, unknown> {
  readonly of: string;
  readonly id: string;
  readonly status: ExecutionStatus;
}

/** Whether a run of this status is shown with its retry: others need none. */
export function showsRetry(status: string): boolean {
  return status === "failed" || status === "timeout" || status === "cancelled";
}

/**
 * What became of the retries of these runs, by run: the retry that completed, or else the latest, also as a retry of a
 * retry. Runs that were not retried are left out. Costs two index look-ups or so per run, however many retries it has.
 */
export async function retriesOf(ids: readonly string[]): Promise<ReadonlyMap<string, ShownRetry>> {
  if (ids.length === 0) return new Map();
  const rows = await query<Row>("retries-of-runs", ofRuns, [ids]);
  return new Map(rows.map(({ of, id, status }) => [of, { executionId: id, status }]));
}

/** At most this many completed retries are looked at, the latest first. */
const retriesMax = 5_000;

/**
 * How many of the failed and timed-out runs that match a filter of flow and span completed as a retry, or as a retry of
 * a retry. With more than 5,000 completed retries in the span, the earliest do not count.
 */
export async function countRecovered(filter: ExecutionFilter): Promise<number> {
  const { bind, values } = parameters();
  const { workspaceId, flowId, startDate } = filter;
  // A retry starts after its original. The limits of one row keep each run a look-up by its id: the planner takes the
  // chains for longer than they are, and would read all retries instead.
  const within = conditionsOf({ workspaceId, flowId, startDate }, bind);
  const [row] = await queryPlanned<{ count: number }>(
    `WITH RECURSIVE retried AS (
       (SELECT original_execution_id AS id FROM execution
        WHERE ${within} AND original_execution_id IS NOT NULL AND status = 'completed'
        ORDER BY started_at DESC LIMIT ${retriesMax})
       UNION
       SELECT retry.original_execution_id FROM retried CROSS JOIN LATERAL (
         SELECT original_execution_id FROM execution
         WHERE execution.id = retried.id AND ${within} AND original_execution_id IS NOT NULL LIMIT 1) AS retry)
     SELECT count(*)::int AS count FROM (SELECT id FROM retried LIMIT ${2 * retriesMax}) AS found CROSS JOIN LATERAL (
       SELECT 1 FROM execution
       WHERE execution.id = found.id AND ${conditionsOf(filter, bind)} AND status IN ('failed', 'timeout') LIMIT 1) AS run`,
    values,
  );
  return row?.count ?? 0;
}
