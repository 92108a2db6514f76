import { type GetStepTools, NonRetriableError, RetryAfterError } from "inngest";
import { nowMs } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { driveRun } from "../drive-run.ts";
import { storedRecord } from "../run-record.ts";
import { claimRun } from "./claim-run.ts";
import type { Client } from "./client.ts";
import { dispatchRuns, handOver } from "./dispatch-runs.ts";
import { executionCancelled, executionData, executionRequested, executionWoken, sameExecution } from "./events.ts";
import { noteStep, reportSteps } from "./report-steps.ts";
import { hasEnded, readStanding, type Standing } from "./standing.ts";
import { tellOfDeliveries } from "./tell.ts";

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
  await Promise.all([handOver(claim.isLimited), tellOfDeliveries()]);
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
