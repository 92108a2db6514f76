// One run's stored data must never keep another from being claimed, in any workspace.
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { recordNodes } from "#lib/executions/store/record-nodes.ts";
import { recordWait } from "#lib/executions/store/record-wait.ts";
import { runningRuns } from "#lib/executions/store/runs-in-process.ts";
import { waitedFor, wakeParent } from "#lib/executions/sub-flow-runs.ts";
import { letLeaseExpire, nodeRecord, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { database, query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { findStuckRuns } from "./embedded/admit-runs.ts";
import { claimRuns } from "./embedded/claim-runs.ts";
import { dispatchPending } from "./inngest/dispatch-runs.ts";
import { claimRun } from "./inngest/run-execution.ts";

let flow: StartedFlow;
let otherFlow: StartedFlow;

const runBytesMax = 1_048_576;
const sentToInngest: string[] = [];

inOwnDatabase();
beforeAll(async () => {
  process.env.RUN_OUTPUT_MAX_BYTES = String(runBytesMax);
  const send = async (events: readonly { id: string }[]) => sentToInngest.push(...events.map(({ id }) => id));
  singleton("inngest", () => ({ send }));
  flow = await storedFlow(await newActor());
  otherFlow = await storedFlow(await newActor());
});
afterEach(async () => {
  runningRuns().clear();
  await query("forget-runs", "DELETE FROM execution", []);
});

const rowOf = (id: string) => database().execution.findUniqueOrThrow({ where: { id } });
const idsOf = (claims: Awaited<ReturnType<typeof claimRuns>>) => claims.map(({ run }) => run.id).toSorted();

const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const poisons: Record<string, unknown> = {
  "U+0000": "a\u0000b",
  "a lone surrogate": "a\ud800b",
  "a number too large": JSON.parse("1e400"),
  "deep nesting": JSON.parse(deep(3_000)),
};

/** A run whose process died while its step `pause` waited with this state. */
async function waitingRun(of: StartedFlow, output: unknown): Promise<string> {
  const id = await storedExecution(of, "another");
  const begun = nodeRecord("pause", { type: "delay", status: "running", completedAt: null, output: null });
  await recordNodes({ executionId: id, fence: 1, nodes: [begun], logs: [] });
  await recordWait({ id, fence: 1 }, "pause", { kind: "time", until: Date.now() + 3_600_000, state: { output } });
  await letLeaseExpire(id);
  return id;
}

/** Stores unreadable text for a run. */
async function damage(id: string, output = "{"): Promise<void> {
  await recordNodes({ executionId: id, fence: 1, nodes: [nodeRecord("a", { output })], logs: [] });
}

async function lostRun(of: StartedFlow): Promise<string> {
  const id = await storedExecution(of, "another");
  await recordNodes({ executionId: id, fence: 1, nodes: [nodeRecord("a", { output: "7" })], logs: [] });
  await letLeaseExpire(id);
  return id;
}

describe.each(Object.entries(poisons))("a delay that holds %s", (_name, output) => {
  test("is resumed as stored, along with the other workspaces' runs in the same claim", async () => {
    const poisoned = await waitingRun(flow, output);
    const others = [await waitingRun(otherFlow, "fine"), await lostRun(otherFlow)];
    const claims = await claimRuns(10);
    expect(idsOf(claims)).toEqual([poisoned, ...others].toSorted());
    const wait = claims.find(({ run }) => run.id === poisoned)?.recorded.waits.get("pause");
    expect(JSON.stringify(wait?.request.state)).toBe(JSON.stringify({ output }));
  });

  test("does not keep Inngest's recovery, or the search for stuck runs, from the others", async () => {
    const poisoned = await waitingRun(flow, output);
    await query("hold", "UPDATE execution SET concurrency_key = 'k', concurrency_limit = 1", []);
    const held = await storedExecution(flow);
    await query(
      "wait",
      "UPDATE execution SET concurrency_key = 'k', concurrency_limit = 1, held = true WHERE id = $1",
      [held],
    );
    await dispatchPending(true);
    expect(sentToInngest).toContainEqual(expect.stringContaining(poisoned));
    await expect(findStuckRuns()).resolves.toEqual([]);
  });
});

describe("a step that waits for an execution", () => {
  test("is found by that execution's id, whatever else is stored for the run", async () => {
    const child = await storedExecution(flow, "another");
    const parent = await waitingRun(flow, "\u0000");
    await recordWait({ id: parent, fence: 1 }, "sub", {
      kind: "execution",
      until: null,
      state: { executionId: child },
    });
    expect(await waitedFor(parent)).toEqual([child]);
    const [claim] = await claimRuns(1);
    expect(claim?.recorded.waits.get("sub")?.wake).toBeNull();
  });

  test("wakes its parent even if its metadata contain what PostgreSQL cannot read", async () => {
    const parent = await storedExecution(flow, "another");
    await query("let-go", "UPDATE execution SET wake_at = '9999-12-31' WHERE id = $1", [parent]);
    const child = await storedExecution(flow, "another");
    const metadata = JSON.stringify({ note: "\u0000", parentExecutionId: parent });
    await query("be-child", "UPDATE execution SET source = 'sub-flow', metadata = $2 WHERE id = $1", [child, metadata]);
    await wakeParent(child);
    expect((await rowOf(parent)).wakeAt?.getTime()).toBeLessThan(Date.now() + 60_000);
  });
});

describe("a run that cannot be read", () => {
  test("fails alone and says so, while the others in its claim continue", async () => {
    const [broken, fine, other] = [await lostRun(flow), await lostRun(flow), await lostRun(otherFlow)];
    await damage(broken);
    expect(idsOf(await claimRuns(10))).toEqual([fine, other].toSorted());
    const row = await rowOf(broken);
    expect([row.status, row.errorCode, row.errorNodeId]).toEqual(["failed", "RECORD_UNREADABLE", null]);
    expect(row.errorMessage).toMatch(/^What is stored of this run cannot be read: /);
  });

  test("with more data than a run may have is not read at all", async () => {
    const [large, fine] = [await lostRun(flow), await lostRun(otherFlow)];
    await query("grow", "UPDATE node_execution SET output = repeat('1', $2) WHERE execution_id = $1", [
      large,
      3 * runBytesMax + 1,
    ]);
    expect(idsOf(await claimRuns(10))).toEqual([fine]);
    expect(await rowOf(large)).toMatchObject({ status: "failed", errorCode: "RECORD_UNREADABLE" });
  });

  test("because of its trigger or its version fails alone", async () => {
    const [trigger, version, fine] = [
      await lostRun(flow),
      await lostRun(await storedFlow(await newActor())),
      await lostRun(otherFlow),
    ];
    await query("spoil-trigger", "UPDATE execution SET trigger = '{' WHERE id = $1", [trigger]);
    const { flowId } = await rowOf(version);
    await query("spoil-version", "UPDATE flow_version SET definition = '{' WHERE flow_id = $1", [flowId]);
    expect(idsOf(await claimRuns(10))).toEqual([fine]);
    for (const id of [trigger, version]) expect(await rowOf(id)).toMatchObject({ errorCode: "RECORD_UNREADABLE" });
  });

  test("fails for its losses before any of its data is read", async () => {
    const id = await lostRun(flow);
    await damage(id);
    await letLeaseExpire(id);
    await query("lose", "UPDATE execution SET losses = 4, lost_progress = 9e15 WHERE id = $1", [id]);
    expect(await claimRuns(10)).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ status: "failed", errorCode: "WORKER_LOST" });
  });

  test("fails alone when Inngest calls for it", async () => {
    const id = await lostRun(flow);
    await damage(id);
    expect(await claimRun(id)).toBeNull();
    expect(await rowOf(id)).toMatchObject({ status: "failed", errorCode: "RECORD_UNREADABLE" });
  });
});
