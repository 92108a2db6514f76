import { setTimeout as sleep } from "node:timers/promises";
import { type GetStepTools, NonRetriableError, RetryAfterError } from "inngest";
import type { WaitKind } from "#lib/engine/wait.ts";
import { runningRuns } from "#lib/executions/store/runs-in-process.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { driveRun } from "#lib/runtime/drive/drive-run.ts";
import { storedRecord } from "#lib/runtime/drive/run-record.ts";
import {
  type Claim,
  type ClaimedRow,
  claimed,
  claimedColumns,
  isOver,
  isWaiting,
  openClaims,
} from "#lib/runtime/embedded/claim-runs.ts";
import { processName } from "#lib/runtime/process-name.ts";
import type { Client } from "./client.ts";
import { dispatchRuns, handOver } from "./dispatch-runs.ts";
import { executionCancelled, executionData, executionRequested, executionWoken, sameExecution } from "./events.ts";
import { noteStep, reportSteps } from "./report-steps.ts";
import { notifyOfDeliveries } from "./tell.ts";

/** How a run stands when nobody does it; or, without `waitMs`, while somebody does. */
interface Standing {
  /** `deleted` where its record is gone. */
  readonly status: string;
  /** It is not its turn among the runs of its flow. */
  readonly isHeld: boolean;
  /** Milliseconds until it is to be looked at again. */
  readonly waitMs: number | null;
  /** For how long the last of its steps that wait has been waiting. */
  readonly waitedMs: number;
  /** The steps that wait. */
  readonly waits: readonly { readonly name: string; readonly kind: WaitKind }[];
}

type Row = Standing & Record<string, unknown>;

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

async function readStanding(executionId: string): Promise<Standing> {
  const [row] = await query<Row>("standing-of-run", read, [executionId]);
  return row ?? { status: "deleted", isHeld: false, waitMs: null, waitedMs: 0, waits: [] };
}

function hasEnded({ status }: Standing): boolean {
  return status !== "pending" && status !== "running";
}

const busyPauseMs = 250;
const busyMsMax = 10_000;

// A run that waits may be taken at any time, since nothing of it goes on; one that somebody does, when its lease is
// over. `dispatched_at` says that a function attends to it.
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
 * Takes a run to do it in this call. Another call that does it is waited for: it is nearly always quicker than Inngest's
 * next try. Null when there is nothing to do: it has ended, cannot go on, or its turn has not come.
 */
export async function claimRun(executionId: string): Promise<Claim | null> {
  for (const giveUpAt = Date.now() + busyMsMax; Date.now() < giveUpAt; await sleep(busyPauseMs)) {
    // One that this process is doing may be late, as after a pause, but is not lost.
    if (!runningRuns().has(executionId)) {
      const rows = await query<ClaimedRow>("claim-run-for-inngest", claim, [processName(), executionId]);
      if (rows.length > 0) return (await openClaims(rows))[0] ?? null;
    }
    const standing = await readStanding(executionId);
    if (hasEnded(standing) || standing.isHeld) return null;
  }
  throw new RetryAfterError("Another call is doing this run", busyMsMax);
}

/** Tries of a call that fails for a reason of ours, as when the database is away; nodes' own retries are their own. */
const retries = 4;
/** Inngest allows a function 1,000 steps a run. */
const stepsMax = 900;
/** Inngest's plans bound how long a step may sleep; a longer wait takes several turns. */
const turnMsMax = 6 * 86_400_000;
/**
 * A turn of a wait for an event lasts this many times as long as the wait did before. An event that is sent before
 * Inngest listens is lost on it, but not on the database, which is looked at after each turn: and what comes at all
 * comes most often soon.
 */
const turnGrowth = 8;

/** The function that does a run: each call does as much of it as it may, in this process, and shows what it did. */
export function runExecution(client: Client) {
  const { executionConcurrency } = env();
  return client.createFunction(
    {
      id: "run-execution",
      name: "Run an execution",
      description: "Does the nodes of a flow, and shows a step for each.",
      triggers: [{ event: executionRequested }],
      cancelOn: [{ event: executionCancelled, if: sameExecution }],
      // Half of a workspace's share at most for one flow, so that a busy one does not keep the others waiting.
      concurrency: [
        { key: "event.data.workspaceId", limit: executionConcurrency },
        { key: "event.data.flowId", limit: Math.ceil(executionConcurrency / 2) },
      ],
      retries,
      // A call bounds its own time: it must not be left while a node is under way.
      checkpointing: { maxRuntime: 0 },
      onFailure: async ({ event }) => {
        await letGo(executionData.parse(event.data.event.data).executionId);
      },
    },
    async ({ event, step, runId, call }) => {
      if (call.isForOneStep) throw new NonRetriableError("This step was planned by an earlier version of Millrace");
      const { executionId } = executionData.parse(event.data);
      const standing = await goOn(executionId, runId);
      await reportSteps(runId, step, call.stepsDone);
      if (hasEnded(standing) || standing.isHeld) return { executionId, status: standing.status };
      if (standing.waitMs === null)
        throw new RetryAfterError("This process could not finish its part of the run", 1_000);
      if (call.stepsDone < stepsMax) {
        await waitOnce(step, standing, standing.waitMs, call.stepsDone);
        return { executionId, status: standing.status };
      }
      await step.run({ id: "leave", name: "Go on in a new run of this function" }, () => letGo(executionId));
      return { executionId, status: "goes on in a new run of this function" };
    },
  );
}

/** Does the run until it ends, only waits, or the call's time is up; then gives how it stands. */
async function goOn(executionId: string, functionRunId: string): Promise<Standing> {
  const claim = await claimRun(executionId);
  if (claim === null) return await readStanding(executionId);
  const beginsUntil = nowMs() + (env().inngest?.maxRuntimeMs ?? 0);
  await driveRun(claim.run, claim.recorded, 0, storedRecord, {
    beginsUntil,
    onEnd: (step, outcome) => noteStep(functionRunId, step, outcome),
  });
  const standing = await readStanding(executionId);
  await Promise.all([handOver(claim.isLimited), notifyOfDeliveries()]);
  return standing;
}

/** Waits until the run is to be looked at again, as a step that bears the names of the nodes that wait. */
async function waitOnce(
  tools: GetStepTools<Client>,
  { waits, waitedMs }: Standing,
  waitMs: number,
  stepsDone: number,
): Promise<void> {
  const id = `wait:${stepsDone}`;
  if (waitMs <= 0) return await tools.sleepUntil({ id, name: "Go on in another call" }, new Date());
  const name = `${[...new Set(waits.map((wait) => wait.name))].join(", ")} (waiting)`;
  const ms = Math.min(waitMs, turnMsMax);
  if (waits.every(({ kind }) => kind === "time"))
    return await tools.sleepUntil({ id, name }, new Date(Date.now() + ms));
  const timeout = Math.max(1_000, Math.min(ms, waitedMs * turnGrowth));
  await tools.waitForEvent({ id, name }, { event: executionWoken, if: sameExecution, timeout });
}

// An event for this claim may have been sent before, and would be taken for the same again: hence the old time.
const abandon = `
  UPDATE execution SET dispatched_at = now() - interval '1 day'
  WHERE id = $1 AND status IN ('pending', 'running')`;

/** This function attends to the run no more: it is handed to a new one. */
async function letGo(executionId: string): Promise<void> {
  await query("let-go-of-run", abandon, [executionId]);
  await dispatchRuns();
}
