import { setTimeout as sleep } from "node:timers/promises";
import { type GetStepTools, NonRetriableError, RetryAfterError } from "inngest";
import type { WaitKind } from "#lib/engine/wait.ts";
import { runningRuns } from "#lib/executions/store/runs-in-process.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { driveRun } from "#lib/runtime/drive/drive-run.ts";
import { storedRecord } from "#lib/runtime/drive/run-record.ts";
import { type Claim, openClaims } from "#lib/runtime/embedded/claim-runs.ts";
import { type ClaimedRow, claimed, claimedColumns, isOver, isWaiting } from "#lib/runtime/embedded/claim-statement.ts";
import { processName } from "#lib/runtime/runtime.ts";
import {
  type Client,
  executionCancelled,
  executionData,
  executionRequested,
  executionWoken,
  sameExecution,
  sleepMs,
} from "./client.ts";
import { dispatchPending, dispatchRuns } from "./dispatch-runs.ts";
import { notifyOfDeliveries } from "./notify.ts";
import { noteStep, reportSteps } from "./report-steps.ts";

/** The state of a run between calls. */
interface RunState {
  /** `deleted` if its record is gone. */
  readonly status: string;
  /** True if its flow's concurrency limit holds it. */
  readonly isHeld: boolean;
  /** Milliseconds until it has to be checked again; null while another process drives it. */
  readonly waitMs: number | null;
  /** Milliseconds that its newest wait has lasted so far. */
  readonly waitedMs: number;
  /** The waiting steps. */
  readonly waits: readonly { readonly name: string; readonly kind: WaitKind }[];
}

type Row = RunState & Record<string, unknown>;

const read = `
  SELECT e.status, e.held AS "isHeld",
    (extract(epoch FROM least(e.wake_at, now() + interval '400 days') - now()) * 1000)::float8 AS "waitMs",
    coalesce((SELECT extract(epoch FROM now() - max(w.created_at)) * 1000 FROM execution_wait w
      WHERE w.execution_id = e.id AND w.state IS NOT NULL), 0)::float8 AS "waitedMs",
    coalesce((SELECT json_agg(json_build_object('name', n.node_name, 'kind', w.kind) ORDER BY n.position, n.node_id)
      FROM execution_wait w
      JOIN node_execution n ON n.execution_id = w.execution_id AND n.node_id = w.step_id AND n.status = 'running'
      WHERE w.execution_id = e.id AND w.state IS NOT NULL), '[]') AS waits
  FROM execution e WHERE e.id = $1`;

async function readState(executionId: string): Promise<RunState> {
  const [row] = await query<Row>("state-of-run", read, [executionId]);
  return row ?? { status: "deleted", isHeld: false, waitMs: null, waitedMs: 0, waits: [] };
}

function hasEnded({ status }: RunState): boolean {
  return status !== "pending" && status !== "running";
}

const busyPauseMs = 250;
const busyMsMax = 10_000;

// A waiting run can be claimed at any time, because nothing in it is in progress; a run in progress, once its lease has
// expired. `dispatched_at` means that a function attends to it.
const claim = `
  WITH picked AS MATERIALIZED (
    SELECT x.id, x.lost, CASE WHEN x.lost THEN (SELECT max(n.sequence) FROM node_execution n
      WHERE n.execution_id = x.id AND n.completed_at IS NOT NULL) END AS progress
    FROM (SELECT id, status = 'running' AND wake_at IS NULL AS lost FROM execution
      WHERE id = $2 AND (${isWaiting} OR status = 'running' AND (lease_until IS NULL OR ${isOver})) FOR UPDATE) AS x)
  UPDATE execution e SET ${claimed}, dispatched_at = now()
  FROM picked WHERE e.id = picked.id
  RETURNING ${claimedColumns}, picked.lost`;

/**
 * Claims a run for this call. If another call has it, waits for that one, which is nearly always quicker than Inngest's
 * next retry. Null if there is nothing to do: the run has ended, cannot continue, or is held.
 */
export async function claimRun(executionId: string): Promise<Claim | null> {
  for (const giveUpAt = performance.now() + busyMsMax; performance.now() < giveUpAt; await sleep(busyPauseMs)) {
    // This process's own run may have a late heartbeat, for example after a pause: it is not lost.
    if (!runningRuns().has(executionId)) {
      const rows = await query<ClaimedRow>("claim-run-for-inngest", claim, [processName(), executionId]);
      const [opened] = await openClaims(rows);
      if (opened !== undefined) return opened;
    }
    const state = await readState(executionId);
    if (hasEnded(state) || state.isHeld) return null;
  }
  throw new RetryAfterError("Another call is driving this run", busyMsMax);
}

/** Retries of a call that fails on our side, such as an unavailable database; nodes have their own retries. */
const retries = 4;
/** Inngest allows a function 1,000 steps per run. */
const stepsMax = 900;
/** Inngest's plans limit how long a step may sleep; a longer wait takes several sleeps. */
const turnMsMax = 6 * 86_400_000;
/**
 * Backoff for an event: each turn lasts this many times as long as the wait so far. Inngest misses an event sent before
 * it listens, but the database, which is read after each turn, does not; and most events come soon.
 */
const turnGrowth = 8;

/** The function that drives a run: each call does as much as it can in this process, and reports what it did. */
export function runExecution(client: Client) {
  const { executionConcurrency } = env();
  return client.createFunction(
    {
      id: "run-execution",
      name: "Run an execution",
      description: "Runs the nodes of a flow, and shows a step for each.",
      triggers: [{ event: executionRequested }],
      cancelOn: [{ event: executionCancelled, if: sameExecution }],
      // At most half of a workspace's share for one flow, so that a busy flow does not block the others.
      concurrency: [
        { key: "event.data.workspaceId", limit: executionConcurrency },
        { key: "event.data.flowId", limit: Math.ceil(executionConcurrency / 2) },
      ],
      retries,
      // A call limits its own time, because it must not be cut off while a node is in progress.
      checkpointing: { maxRuntime: 0 },
      onFailure: async ({ event }) => {
        await releaseRun(executionData.parse(event.data.event.data).executionId);
      },
    },
    async ({ event, step, runId, call }) => {
      if (call.isForOneStep) throw new NonRetriableError("This step was planned by an earlier version of Millrace");
      const { executionId } = executionData.parse(event.data);
      const state = await continueRun(executionId, runId);
      await reportSteps(runId, step, call.stepsDone);
      if (hasEnded(state) || state.isHeld) return { executionId, status: state.status };
      if (state.waitMs === null) throw new RetryAfterError("This process could not finish its part of the run", 1_000);
      if (call.stepsDone < stepsMax) {
        await waitOnce(step, state, state.waitMs, call.stepsDone);
        return { executionId, status: state.status };
      }
      await step.run({ id: "leave", name: "Continue in a new run of this function" }, () => releaseRun(executionId));
      return { executionId, status: "continues in a new run of this function" };
    },
  );
}

/** Drives the run until it ends, it only waits, or the call's time is up; returns its state. */
async function continueRun(executionId: string, functionRunId: string): Promise<RunState> {
  const claim = await claimRun(executionId);
  if (claim === null) return await readState(executionId);
  const beginsUntil = nowMs() + (env().inngest?.maxRuntimeMs ?? 0);
  await driveRun(claim.run, claim.recorded, 0, storedRecord, {
    beginsUntil,
    onEnd: (step, outcome) => noteStep(functionRunId, step, outcome),
  });
  const state = await readState(executionId);
  await Promise.all([dispatchPending(claim.isLimited), notifyOfDeliveries()]);
  return state;
}

/** A sleep until then ends at once, whatever Inngest's clock says: it may be behind ours. */
const longAgo = new Date(0);

/** Waits until the run has to be checked again, as a step named after the waiting nodes. */
async function waitOnce(
  tools: GetStepTools<Client>,
  { waits, waitedMs }: RunState,
  waitMs: number,
  stepsDone: number,
): Promise<void> {
  const id = `wait:${stepsDone}`;
  if (waitMs <= 0) return await tools.sleepUntil({ id, name: "Continue in another call" }, longAgo);
  const name = `${[...new Set(waits.map((wait) => wait.name))].join(", ")} (waiting)`;
  const ms = Math.min(waitMs, turnMsMax);
  if (waits.every(({ kind }) => kind === "time")) return await tools.sleep({ id, name }, sleepMs(ms));
  const timeout = sleepMs(Math.min(ms, waitedMs * turnGrowth));
  await tools.waitForEvent({ id, name }, { event: executionWoken, if: sameExecution, timeout });
}

// Keeps the old time: an event for this claim may have been sent, and a new one would count as a duplicate.
const abandon = `
  UPDATE execution SET dispatched_at = now() - interval '1 day'
  WHERE id = $1 AND status IN ('pending', 'running')`;

/** Stops attending to the run: a new function run takes over. */
async function releaseRun(executionId: string): Promise<void> {
  await query("release-run", abandon, [executionId]);
  await dispatchRuns();
}
