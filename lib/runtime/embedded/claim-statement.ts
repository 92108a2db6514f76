import { newLease } from "#lib/executions/store/run-row.ts";

/** The columns that a claim returns. */
export interface ClaimedRow extends Record<string, unknown> {
  id: string;
  /** Another process had it and lost its lease; set by workers' claims. */
  lost?: boolean;
  workspace_id: string;
  flow_id: string;
  flow_name: string;
  flow_version: number;
  trigger: string;
  started_at: Date;
  timeout_ms: number;
  work_ms: number;
  source: string;
  fence: number;
  losses: number;
  from_node: string | null;
  original_execution_id: string | null;
  concurrency_key: string | null;
}

/** The columns of `ClaimedRow`, of the execution `e`. */
export const claimedColumns = `e.id, e.workspace_id, e.flow_id, e.flow_name, e.flow_version, e.trigger, e.started_at,
    e.timeout_ms, e.work_ms, e.source, e.fence, e.losses, e.from_node, e.original_execution_id,
    e.concurrency_key`;

// A lease that ends later than any lease can is from before the clock was set back: nobody holds it. The clock decides:
// `now()` may be from before this statement waited for a lock.
export const isOver = `(lease_until < now()
    OR lease_until > now() + interval '1 minute' AND lease_until > clock_timestamp() + interval '1 minute')`;
export const isWaiting = "status = 'pending' AND NOT held";

/** How a claim by $1 changes the `picked` execution `e`. */
export const claimed = `status = 'running', fence = e.fence + 1, lease_owner = $1,
    lease_until = ${newLease}, wake_at = NULL,
    losses = CASE WHEN NOT picked.lost OR e.lease_owner IS NULL THEN e.losses
      WHEN picked.progress > coalesce(e.lost_progress, 0) THEN 1 ELSE e.losses + 1 END,
    lost_progress = coalesce(picked.progress, e.lost_progress)`;

/**
 * From this many losses on, a run is suspect. A process takes only one suspect at a time, so that a server that is
 * repeatedly killed by something else counts against few runs.
 */
export const lossesOfSuspect = 2;

// This process's own runs may have a late heartbeat, for example after a pause: they are not lost.
const isLost = `status = 'running' AND wake_at IS NULL AND ${isOver} AND id <> ALL($3::text[]) AND $10::boolean`;
/** How many more runs of a workspace this process may hold. */
const roomOf = (workspace: string) => `($9::int - coalesce(($8::jsonb ->> ${workspace})::int, 0))`;

/**
 * Claims runs whose wait is over, orphaned runs and pending runs, in this order, and raises their fences, so that
 * previous owners can no longer write. Only the database's clock decides about leases and waits. Pending runs are
 * claimed flow by flow, so that a flow with ten thousand of them does not delay others.
 *
 * $1 the process · $2 how many runs it takes at most · $3 the runs it has · $4 the flow that had the last turn ·
 * $5 how many runs it has of each flow, as JSON · $6 how many it may have of one · $7 whether it has a suspect ·
 * $8 how many it has of each workspace, as JSON · $9 how many it may have of one · $10 whether it takes over orphaned runs
 */
export const claimStatement = `
  WITH RECURSIVE
  -- Waits that are over, the longest overdue first. However many there are, a quarter is left for pending runs.
  woken AS MATERIALIZED (
    SELECT id FROM execution WHERE status = 'running' AND wake_at <= now() AND id <> ALL($3::text[])
    ORDER BY wake_at LIMIT $2::int - CASE
      WHEN EXISTS (SELECT FROM execution WHERE ${isWaiting} AND flow_id > '') THEN floor($2::int / 4.0 + random())::int
      ELSE 0 END
    FOR UPDATE SKIP LOCKED),
  -- One suspect, the one with the fewest losses, unless this process has one.
  suspect AS MATERIALIZED (
    SELECT id FROM execution WHERE ${isLost} AND losses >= ${lossesOfSuspect} AND NOT $7::boolean
    ORDER BY losses, started_at LIMIT least(1, greatest(0, $2::int - (SELECT count(*) FROM woken)))
    FOR UPDATE SKIP LOCKED),
  -- Other orphaned runs, the oldest first.
  other AS MATERIALIZED (
    SELECT id FROM execution WHERE ${isLost} AND losses < ${lossesOfSuspect}
    ORDER BY started_at
    LIMIT greatest(0, $2::int - (SELECT count(*) FROM woken) - (SELECT count(*) FROM suspect)) FOR UPDATE SKIP LOCKED),
  -- How far orphaned runs got: one that progresses from claim to claim does not become suspect.
  lost AS MATERIALIZED (
    SELECT l.id, (SELECT max(n.sequence) FROM node_execution n
      WHERE n.execution_id = l.id AND n.completed_at IS NOT NULL) AS progress
    FROM (SELECT id FROM suspect UNION ALL SELECT id FROM other) l),
  -- What is left for pending runs.
  room AS MATERIALIZED (
    SELECT $2::int - (SELECT count(*) FROM woken) - (SELECT count(*) FROM lost) AS free),
  -- Flows with pending runs, found one by one in the index from the one after the last turn, until each free place has
  -- one. A workspace without room takes no place.
  flows AS (
    (SELECT flow_id, workspace_id, ${roomOf("workspace_id")} AS room, (${roomOf("workspace_id")} > 0)::int AS place
      FROM execution WHERE ${isWaiting} AND flow_id > $4 ORDER BY flow_id LIMIT 1)
    UNION ALL
    SELECT n.flow_id, n.workspace_id, ${roomOf("n.workspace_id")}, f.place + (${roomOf("n.workspace_id")} > 0)::int
    FROM flows f CROSS JOIN LATERAL (
      SELECT e.flow_id, e.workspace_id FROM execution e WHERE e.${isWaiting} AND e.flow_id > f.flow_id
      ORDER BY e.flow_id LIMIT 1) n
    WHERE f.place < (SELECT free FROM room)),
  -- An equal share for each of these flows, within what this process may have of it.
  shares AS MATERIALIZED (
    SELECT f.flow_id, f.workspace_id, f.room, least(
      ceil((SELECT free FROM room)::numeric / (SELECT count(*) FROM flows WHERE room > 0))::int,
      $6::int - coalesce(($5::jsonb ->> f.flow_id)::int, 0)) AS most
    FROM flows f WHERE f.room > 0),
  -- Each flow's oldest runs.
  taken AS MATERIALIZED (
    SELECT n.id, s.workspace_id, s.room FROM shares s CROSS JOIN LATERAL (
      SELECT e.id FROM execution e WHERE e.flow_id = s.flow_id AND e.${isWaiting}
      ORDER BY e.started_at, e.id LIMIT greatest(0, s.most) FOR UPDATE SKIP LOCKED) n),
  -- No more of a workspace than it has room for, and no more than are free.
  fresh AS MATERIALIZED (
    SELECT id FROM (SELECT id, room, row_number() OVER (PARTITION BY workspace_id) AS nth FROM taken) AS t
    WHERE nth <= room LIMIT (SELECT greatest(0, free) FROM room))
  UPDATE execution e SET ${claimed}
  FROM (
    SELECT id, false AS lost, NULL::bigint AS progress FROM woken
    UNION ALL SELECT id, true, progress FROM lost
    UNION ALL SELECT id, false, NULL FROM fresh) AS picked
  WHERE e.id = picked.id
  RETURNING ${claimedColumns}, picked.lost`;
