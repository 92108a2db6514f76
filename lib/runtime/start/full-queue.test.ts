// Sub-flows of a workspace that has as many queued runs as it may have.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { node } from "#lib/engine/testing/flows.ts";
import { runSignals } from "#lib/executions/live/run-signals.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { subFlowExecutionId } from "#lib/executions/nodes/node-context.ts";
import { readExecution } from "#lib/executions/read-execution.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { driveRun } from "#lib/runtime/drive/drive-run.ts";
import { claimRuns } from "#lib/runtime/embedded/claim-runs.ts";
import { queueRun } from "./queue-run.ts";

let actor: Actor;
let child: StartedFlow;

inOwnDatabase();
beforeAll(() => {
  process.env.QUEUE_MAX = "1";
  singleton("outside", () => ({ sandbox: {} as Outside["sandbox"], outbound: {} as Outside["outbound"] }));
  runSignals().start = queueRun;
});
// A workspace of its own for each test, because a full queue is remembered for a moment.
beforeEach(async () => {
  actor = await newActor();
  child = await storedFlow(actor, [node("note", "log", { message: "hello" })]);
});
afterEach(async () => {
  await query("forget-runs", "DELETE FROM execution", []);
});
afterAll(() => {
  delete process.env.QUEUE_MAX;
});

async function claimedParent() {
  const id = await storedExecution(await storedFlow(actor, [node("child", "sub-flow", { flowId: child.id })]));
  const [claim] = await claimRuns(1);
  if (claim === undefined) throw new Error("the run was not taken");
  return { id, claim };
}

test("a sub-flow that finds no room fails its node and says why", async () => {
  const { id, claim } = await claimedParent();
  await storedExecution(child);
  expect((await driveRun(claim.run, claim.recorded))?.status).toBe("failed");
  const { error } = await readExecution(actor, id, { includeLogs: false, includeNodeOutputs: false });
  expect(error).toMatchObject({ code: "QUEUE_FULL", message: expect.stringContaining("already queued") });
});

test("a sub-flow that its process started before it died is found again, and needs no room", async () => {
  const { id, claim } = await claimedParent();
  const { executionId } = await queueRun(child, {
    ...{ id: subFlowExecutionId(claim.run, "child"), triggerType: "manual", source: "sub-flow", ip: null },
    ...{ userAgent: null, metadata: { parentExecutionId: id } },
    trigger: triggerTextOf({ body: {}, headers: {}, query: {}, method: "POST" }),
  });
  expect(await driveRun(claim.run, claim.recorded)).toBeNull();
  const waits = "SELECT waited_id FROM execution_wait WHERE execution_id = $1";
  expect(await query("waits-of-parent", waits, [id])).toEqual([{ waited_id: executionId }]);
});

test("a queue that was full has room again once it is empty, even if the clock was set back", async () => {
  const request = {
    ...({ triggerType: "manual", source: "api", ip: null, userAgent: null } as const),
    trigger: triggerTextOf({ body: {}, headers: {}, query: {}, method: "POST" }),
  };
  await queueRun(child, request);
  await expect(queueRun(child, request)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
  try {
    await query("empty-queue", "DELETE FROM execution", []);
    await eventually("there is room", async () => await queueRun(child, request).catch(() => undefined), 5_000);
  } finally {
    vi.useRealTimers();
  }
});
