import { depthOf } from "#lib/engine/flow-body.ts";
import { runWatch } from "#lib/executions/live/watch-runs.ts";
import { loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import type { Run, TriggerData } from "#lib/executions/run.ts";
import { isOfDraft, shownSource } from "#lib/executions/search/execution-filter.ts";
import { noMask } from "#lib/executions/secrets/mask-secrets.ts";
import { Journal } from "#lib/executions/store/journal.ts";
import { triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { noRecords, type RunRecords } from "#lib/executions/store/node-record.ts";
import {
  measureStoredRuns,
  readStoredRuns,
  type StoredRun,
  type StoredSize,
  type Unreadable,
  unreadable,
} from "#lib/executions/store/read-records.ts";
import { RunSizes } from "#lib/executions/store/run-sizes.ts";
import { runningRuns } from "#lib/executions/store/runs-in-process.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { isUnavailable, levelOf, query } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { metrics } from "#lib/platform/metrics.ts";
import { failGone, failLost, failUnreadable, lossesMax } from "#lib/runtime/drive/fail-run.ts";
import { isLarge, memoryTurns } from "#lib/runtime/drive/memory-turns.ts";
import { processName } from "#lib/runtime/runtime.ts";
import { type ClaimedRow, claimStatement, lossesOfSuspect } from "./claim-statement.ts";

export interface Claim {
  readonly run: Run;
  readonly recorded: RunRecords;
  /** True if its end frees a slot for another run of its flow. */
  readonly isLimited: boolean;
}

/** Which pending runs are next. */
interface Turn {
  /** The flow that was claimed last; empty for none. */
  readonly afterFlowId: string;
  /** How many runs of one flow this process may hold, and how many it holds, by flow. */
  readonly flowRunsMax: number;
  readonly flowRuns: Readonly<Record<string, number>>;
  /** The same per workspace. */
  readonly workspaceRunsMax: number;
  readonly workspaceRuns: Readonly<Record<string, number>>;
  /** False: orphaned runs are left. */
  readonly takesOver: boolean;
}

/** Claims rows without reading their runs. */
export async function claimRows(limit: number, turn: Partial<Turn> = {}): Promise<ClaimedRow[]> {
  const { afterFlowId = "", flowRunsMax = limit, flowRuns = {}, takesOver = true } = turn;
  const { workspaceRunsMax = limit, workspaceRuns = {} } = turn;
  const own = [...runningRuns().keys()];
  const hasSuspect = [...runningRuns().values()].some((run) => run.isSuspect);
  const flows = [afterFlowId, JSON.stringify(flowRuns), flowRunsMax];
  const workspaces = [JSON.stringify(workspaceRuns), workspaceRunsMax];
  const values = [processName(), limit, own, ...flows, hasSuspect, ...workspaces, takesOver];
  return await query<ClaimedRow>("claim-runs", claimStatement, values);
}

/** Claims up to `limit` runs. */
export async function claimRuns(limit: number, turn: Partial<Turn> = {}): Promise<Claim[]> {
  return await openClaims(await claimRows(limit, turn));
}

/**
 * Reads runs that were just claimed. Those that cannot continue are failed; those that keep too much to be read now are
 * released.
 */
export async function openClaims(rows: readonly ClaimedRow[]): Promise<Claim[]> {
  runWatch().changed(rows.map((row) => row.id));
  // Checked before anything is read, because reading the run may be what killed its processes.
  const lost = rows.filter((row) => row.losses >= lossesMax);
  for (const row of lost) await alone(row, () => failLost(row));
  const others = rows.filter((row) => row.losses < lossesMax);
  const begun = others.filter((row) => row.fence > 1 || row.from_node !== null).map((row) => row.id);
  const sizes = await measureStoredRuns(begun);
  const opened = await releaseTooLarge(others, sizes);
  metrics().leasesTakenOver.inc(opened.filter((row) => row.lost).length);
  const openedIds = new Set(opened.map(({ id }) => id));
  const stored = await readStoredRuns(new Map([...sizes].filter(([id]) => openedIds.has(id))));
  const claims: Claim[] = [];
  for (const row of opened) {
    const claim = await alone(row, () => openClaim(row, stored.get(row.id)));
    if (claim) claims.push(claim);
  }
  return claims;
}

/** What large runs of one claim may keep together: as much as one may. Others wait while they are read. */
const largeBytesMax = () => env().outputs.runBytes;

// Due in a second, not at once, or every claim would take them again in place of other runs. No lease was lost.
const release = `
  UPDATE execution SET lease_owner = NULL, lease_until = now() + interval '1 second'
  WHERE id = ANY($1::text[]) AND lease_owner = $2 AND status = 'running'`;

/** Releases large runs that would take long to read, or for which there is no memory; returns the rows to open. */
async function releaseTooLarge(
  rows: readonly ClaimedRow[],
  sizes: ReadonlyMap<string, StoredSize>,
): Promise<readonly ClaimedRow[]> {
  const turns = memoryTurns();
  const hasLarge = [...runningRuns().values()].some((run) => turns.concerns(run));
  const tooLarge = new Set<ClaimedRow>();
  let largeBytes = 0;
  // The oldest first, so that each has its turn.
  for (const row of rows.toSorted((a, b) => a.started_at.getTime() - b.started_at.getTime())) {
    const bytes = (sizes.get(row.id)?.bytes ?? 0) + row.trigger.length;
    if (!isLarge(bytes)) continue;
    const isOnly = largeBytes === 0 && !hasLarge;
    const isQuick = largeBytes === 0 || largeBytes + bytes <= largeBytesMax();
    if (isOnly || (isQuick && turns.hasRoomFor(largeBytes + bytes))) largeBytes += bytes;
    else tooLarge.add(row);
  }
  if (tooLarge.size === 0) return rows;
  await query("release-large", release, [[...tooLarge].map(({ id }) => id), processName()]);
  return rows.filter((row) => !tooLarge.has(row));
}

const nothingStored: StoredRun = { records: noRecords, warnings: [], log: { entries: 0, characters: 0 } };

/** Null if the run cannot continue and has been failed. */
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
    opened.journal.resume(stored.records, stored.warnings, stored.log);
    await opened.sizes.resume(stored.records);
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

/** Isolates an error to its run: the lease expires, which counts as a loss. */
async function alone<T>(row: ClaimedRow, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    logLine(levelOf(error), "A claimed run could not be started", { executionId: row.id, ...errorFields(error) });
    return null;
  }
}

/** A claimed run, ready to be driven. Throws if its trigger cannot be read. */
async function runOf(row: ClaimedRow, version: Run["version"]): Promise<Run> {
  const trigger = (await parseOwnJson(row.trigger)) as TriggerData;
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    flowId: row.flow_id,
    flowName: row.flow_name,
    flowVersion: row.flow_version,
    startedAt: row.started_at.toISOString(),
    timeoutMs: row.timeout_ms,
    workedMs: row.work_ms,
    isSubFlow: shownSource(row.source) === "sub-flow",
    isOfDraft: isOfDraft(row.source),
    originalId: row.original_execution_id,
    isSuspect: row.losses > lossesOfSuspect,
    isStored: () => true,
    fence: row.fence,
    trigger: triggerTextOf(trigger, row.trigger),
    depth: depthOf(trigger.headers),
    version,
    journal: new Journal(),
    sizes: new RunSizes(env().outputs),
    stop: new AbortController(),
    secrets: new Map(),
    mask: noMask,
  };
}
