import { RetryAfterError } from "inngest";
import { runFlow } from "#lib/engine/run.ts";
import { sleep } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";
import { dispatch } from "../dispatch.ts";
import { endRun, nodeWork } from "../drive-run.ts";
import { claimRun, giveBackRun, leaveRun } from "./claim-run.ts";
import type { Client } from "./client.ts";
import { dispatchRuns } from "./dispatch-runs.ts";
import { executionCancelled, executionData, executionRequested, sameExecution } from "./events.ts";
import { InngestIo } from "./inngest-io.ts";
import { ownerOf } from "./lease.ts";
import { openRun } from "./open-run.ts";

/** Tries of a step that fails for a reason of ours, as when the database is away; nodes' own retries are their own. */
const retries = 4;
const leavePauseMs = 250;
const leaveMsMax = 30_000;

/** The function that does a run: the engine, with Inngest as its outside. */
export function runExecution(client: Client) {
  const { executionConcurrency, inngest: settings } = env();
  return client.createFunction(
    {
      id: "run-execution",
      name: "Run an execution",
      description: "Does the nodes of a flow, one step a node.",
      triggers: [{ event: executionRequested }],
      cancelOn: [{ event: executionCancelled, if: sameExecution }],
      // Half of a workspace's share at most for one flow, so that a busy one does not keep the others waiting.
      concurrency: [
        { key: "event.data.workspaceId", limit: executionConcurrency },
        { key: "event.data.flowId", limit: Math.ceil(executionConcurrency / 2) },
      ],
      retries,
      checkpointing: { maxRuntime: settings?.maxRuntimeMs ?? 0 },
      onFailure: async ({ event }) => {
        const { executionId } = executionData.parse(event.data.event.data);
        await giveBackRun(executionId, ownerOf(event.data.run_id));
        await dispatchRuns();
      },
    },
    async ({ event, step, runId, call }) => {
      const { executionId } = executionData.parse(event.data);
      const owner = ownerOf(runId);
      const fence = await step.run({ id: "claim", name: "Take up the run" }, () => claimRun(executionId, owner));
      const opened = fence === null ? null : await openRun(executionId, fence, owner);
      if (opened === null) return { executionId, status: "ended, or done by another" };
      const { run } = opened;
      const io = new InngestIo(opened, step, owner, call);
      const result = await runFlow(run.version.graph, io, nodeWork(run), run.stop.signal);
      if (!result.waiting) {
        const end = await endRun(run, result);
        await dispatch(opened.isLimited);
        return { executionId, status: end?.status ?? "done by another" };
      }
      await step.run({ id: "leave", name: "Go on in a new run of this function" }, async () => {
        await leave(executionId, run.fence, owner);
      });
      return { executionId, status: "goes on in a new run of this function" };
    },
  );
}

async function leave(executionId: string, fence: number, owner: string): Promise<void> {
  const giveUpAt = Date.now() + leaveMsMax;
  while (!(await leaveRun(executionId, fence, owner))) {
    if (Date.now() > giveUpAt) throw new RetryAfterError("A step of the run is still under way", 10_000);
    await sleep(leavePauseMs);
  }
  await dispatchRuns();
}
