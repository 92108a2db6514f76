import { runWatch } from "#lib/executions/live/watch-runs.ts";
import { loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import type { Run, TriggerData } from "#lib/executions/run.ts";
import { isOfDraft, shownSource } from "#lib/executions/search/execution-filter.ts";
import { noMask } from "#lib/executions/secrets/mask-secrets.ts";
import { leaseSeconds } from "#lib/executions/store/insert-execution.ts";
import { Journal } from "#lib/executions/store/journal.ts";
import { noRecords, type RunRecords } from "#lib/executions/store/node-record.ts";
import { readStoredRuns, type StoredRun, type Unreadable, unreadable } from "#lib/executions/store/read-stored-runs.ts";
import { RunSizes } from "#lib/executions/store/run-sizes.ts";
import { runningRuns } from "#lib/executions/store/runs-in-process.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { isUnavailable, levelOf, query } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { metrics } from "#lib/platform/metrics.ts";
import { failGone, failLost, failUnreadable, lossesMax } from "#lib/runtime/drive/give-up.ts";
import { processName } from "#lib/runtime/process-name.ts";

/**
 * From this many losses on, a run is suspect, and a process takes one suspect at a time: a server that is repeatedly
 * killed by something else then counts against few of its runs.
 */
const lossesOfSuspect = 2;

/** The columns of a run's row that a claim returns. */
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

// A lease that ends later than any lease can came from a clock that was set back since: nobody holds it.
export const isOver = `(lease_until < now() OR lease_until > now() + interval '1 minute')`;
export const isWaiting = "status = 'pending' AND NOT held";
const isLost = `status = 'running' AND wake_at IS NULL AND ${isOver} AND id <> ALL($3::text[])`;

/** How a claim by $1 changes `e`, an execution that was `picked`. */
export const claimed = `status = 'running', fence = e.fence + 1, lease_owner = $1,
    lease_until = now() + interval '${leaseSeconds} seconds', wake_at = NULL,
    losses = CASE WHEN NOT picked.lost OR e.lease_owner IS NULL THEN e.losses
      WHEN picked.progress > coalesce(e.lost_progress, 0) THEN 1 ELSE e.losses + 1 END,
    lost_progress = coalesce(picked.progress, e.lost_progress)`;

// Claims runs whose wait is over, orphaned runs, and pending ones. Runs that this process is working on itself ($3) may
// have a late heartbeat, for instance after a pause, but are not lost. Each claim raises the fence, so the previous
// owner cannot write any more. Leases and waits are decided by the database's clock alone. A suspect is claimed only if
// this process has none ($7), the one with the fewest losses first.
// Pending runs are claimed flow by flow, starting after flow $4, each flow's oldest first and no more than $6 per flow
// ($5: how many this process has of each): a flow with ten thousand runs keeps no other from its turn. Flows are found
// one by one in the index, no more of them than there are runs to claim. A workspace is limited to $9 runs in the same
// way ($8: how many it has) and is skipped once it has them.
const roomOf = (workspace: string) => `($9::int - coalesce(($8::jsonb ->> ${workspace})::int, 0))`;
const claim = `
  WITH RECURSIVE woken AS MATERIALIZED (
    SELECT id FROM execution WHERE status = 'running' AND wake_at <= now() AND id <> ALL($3::text[])
    ORDER BY wake_at LIMIT $2 FOR UPDATE SKIP LOCKED),
  suspect AS MATERIALIZED (
    SELECT id FROM execution WHERE ${isLost} AND losses >= ${lossesOfSuspect} AND NOT $7::boolean
    ORDER BY losses, started_at LIMIT least(1, greatest(0, $2::int - (SELECT count(*) FROM woken)))
    FOR UPDATE SKIP LOCKED),
  other AS MATERIALIZED (
    SELECT id FROM execution WHERE ${isLost} AND losses < ${lossesOfSuspect}
    ORDER BY started_at
    LIMIT greatest(0, $2::int - (SELECT count(*) FROM woken) - (SELECT count(*) FROM suspect)) FOR UPDATE SKIP LOCKED),
  lost AS MATERIALIZED (
    SELECT l.id, (SELECT max(n.sequence) FROM node_execution n
      WHERE n.execution_id = l.id AND n.completed_at IS NOT NULL) AS progress
    FROM (SELECT id FROM suspect UNION ALL SELECT id FROM other) l),
  room AS MATERIALIZED (
    SELECT $2::int - (SELECT count(*) FROM woken) - (SELECT count(*) FROM lost) AS free),
  flows AS (
    (SELECT flow_id, workspace_id, ${roomOf("workspace_id")} AS room, (${roomOf("workspace_id")} > 0)::int AS place
      FROM execution WHERE ${isWaiting} AND flow_id > $4 ORDER BY flow_id LIMIT 1)
    UNION ALL
    SELECT n.flow_id, n.workspace_id, ${roomOf("n.workspace_id")}, f.place + (${roomOf("n.workspace_id")} > 0)::int
    FROM flows f CROSS JOIN LATERAL (
      SELECT e.flow_id, e.workspace_id FROM execution e WHERE e.${isWaiting} AND e.flow_id > f.flow_id
      ORDER BY e.flow_id LIMIT 1) n
    WHERE f.place < (SELECT free FROM room)),
  shares AS MATERIALIZED (
    SELECT f.flow_id, f.workspace_id, f.room, least(
      ceil((SELECT free FROM room)::numeric / (SELECT count(*) FROM flows WHERE room > 0))::int,
      $6::int - coalesce(($5::jsonb ->> f.flow_id)::int, 0)) AS most
    FROM flows f WHERE f.room > 0),
  taken AS MATERIALIZED (
    SELECT n.id, s.workspace_id, s.room FROM shares s CROSS JOIN LATERAL (
      SELECT e.id FROM execution e WHERE e.flow_id = s.flow_id AND e.${isWaiting}
      ORDER BY e.started_at, e.id LIMIT greatest(0, s.most) FOR UPDATE SKIP LOCKED) n),
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

export interface Claim {
  readonly run: Run;
  readonly recorded: RunRecords;
  /** Its end makes room for another run of its flow. */
  readonly isLimited: boolean;
}

/** Whose turn it is among pending runs. */
interface Turn {
  /** The flow that had the last turn; empty for none. */
  readonly afterFlowId: string;
  /** Runs that this process may have of one flow, and those it has, by flow. */
  readonly flowRunsMax: number;
  readonly flowRuns: Readonly<Record<string, number>>;
  /** The same per workspace. */
  readonly workspaceRunsMax: number;
  readonly workspaceRuns: Readonly<Record<string, number>>;
}

/** The claim itself. */
export async function claimRows(most: number, turn: Partial<Turn> = {}): Promise<ClaimedRow[]> {
  const { afterFlowId = "", flowRunsMax = most, flowRuns = {}, workspaceRunsMax = most, workspaceRuns = {} } = turn;
  const own = [...runningRuns().keys()];
  const hasSuspect = [...runningRuns().values()].some((run) => run.isSuspect);
  const flows = [afterFlowId, JSON.stringify(flowRuns), flowRunsMax];
  const workspaces = [JSON.stringify(workspaceRuns), workspaceRunsMax];
  const values = [processName(), most, own, ...flows, hasSuspect, ...workspaces];
  return await query<ClaimedRow>("claim-runs", claim, values);
}

/** Claims up to `most` runs. */
export async function claimRuns(most: number, turn: Partial<Turn> = {}): Promise<Claim[]> {
  return await openClaims(await claimRows(most, turn));
}

/** Reads runs that were just claimed. Those that cannot continue are failed. */
export async function openClaims(rows: readonly ClaimedRow[]): Promise<Claim[]> {
  runWatch().changed(rows.map((row) => row.id));
  metrics().leasesTakenOver.inc(rows.filter((row) => row.lost).length);
  // Checked before anything is read: reading a run may be what killed its processes.
  const lost = rows.filter((row) => row.losses >= lossesMax);
  for (const row of lost) await alone(row, () => failLost(row));
  const others = rows.filter((row) => row.losses < lossesMax);
  const begun = others.filter((row) => row.fence > 1 || row.from_node !== null).map((row) => row.id);
  const stored = await readStoredRuns(begun);
  const claims: Claim[] = [];
  for (const row of others) {
    const claim = await alone(row, () => openClaim(row, stored.get(row.id)));
    if (claim) claims.push(claim);
  }
  return claims;
}

const nothingStored: StoredRun = { records: noRecords, warnings: [] };

/** Null if the run cannot be continued and has been failed. */
async function openClaim(row: ClaimedRow, stored: StoredRun = nothingStored): Promise<Claim | null> {
  const run = await openRow(row, stored);
  if (run === null || "problem" in stored) return null;
  return { run, recorded: stored.records, isLimited: row.concurrency_key !== null };
}

/** A claimed run with its stored state; null if it cannot be read or its version is gone, and it has been failed. */
async function openRow(row: ClaimedRow, stored: StoredRun): Promise<Run | null> {
  const opened = "problem" in stored ? stored : await readRun(row);
  if (opened === null) await failGone(row);
  else if ("problem" in opened) await failUnreadable(row, opened);
  else if (!("problem" in stored)) {
    opened.journal.resume(stored.records, stored.warnings);
    opened.sizes.resume(stored.records);
    return opened;
  }
  return null;
}

async function readRun(row: ClaimedRow): Promise<Run | Unreadable | null> {
  try {
    const version = await loadVersion(row.flow_id, row.flow_version);
    return version && (await runOf(row, version));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return unreadable(error);
  }
}

/** An error with one run affects no other: its lease expires, which counts as a loss. */
async function alone<T>(row: ClaimedRow, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    logLine(levelOf(error), "A run could not be taken up", { executionId: row.id, ...errorFields(error) });
    return null;
  }
}

/** A claimed run, ready to be driven. Throws if its trigger cannot be read. */
async function runOf(row: ClaimedRow, version: Run["version"]): Promise<Run> {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    flowId: row.flow_id,
    flowName: row.flow_name,
    startedAt: row.started_at.toISOString(),
    timeoutMs: row.timeout_ms,
    workedMs: row.work_ms,
    isSubFlow: shownSource(row.source) === "sub-flow",
    isOfDraft: isOfDraft(row.source),
    originalId: row.original_execution_id,
    isSuspect: row.losses > lossesOfSuspect,
    fence: row.fence,
    trigger: (await parseOwnJson(row.trigger)) as TriggerData,
    triggerJson: row.trigger,
    version,
    journal: new Journal(),
    sizes: new RunSizes(env().outputs),
    stop: new AbortController(),
    secrets: new Map(),
    mask: noMask,
  };
}
