import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import { edge, node } from "#lib/engine/testing/flows.ts";
import { cancelExecution } from "#lib/executions/cancel-execution.ts";
import { runSignals } from "#lib/executions/live/run-signals.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { readExecution } from "#lib/executions/read-execution.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import { insertExecution } from "#lib/executions/store/insert-execution.ts";
import { newExecution } from "#lib/executions/store/new-execution.ts";
import { runningRuns, waitingRuns } from "#lib/executions/store/runs-in-process.ts";
import { finished, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { findWait, resumeWait } from "#lib/executions/waits.ts";
import { database, query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { driveRun } from "./drive/drive-run.ts";
import { claimRuns } from "./embedded/claim-runs.ts";

let actor: Actor;
let sent = 0;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  singleton("outside", () => ({
    sandbox: { run: () => Promise.reject(new Error("not needed here")) } as unknown as Outside["sandbox"],
    outbound: {
      send: async () => {
        sent += 1;
        return { status: 200, headers: {}, body: Buffer.from("") };
      },
    } as unknown as Outside["outbound"],
  }));
});

const hourMs = 3_600_000;
const delay = (id: string, ms: number) => node(id, "delay", { ms });
const call = (id: string) => node(id, "http-request", { url: "https://api.test/", method: "POST" });

async function claimed(nodes: readonly FlowNode[], edges: readonly FlowEdge[] = []) {
  sent = 0;
  const id = await storedExecution(await storedFlow(actor, nodes, edges));
  return { id, claim: await claimAgain(id) };
}

async function claimAgain(id: string) {
  const found = (await claimRuns(100)).find(({ run }) => run.id === id);
  if (found === undefined) throw new Error("the run was not taken");
  return found;
}

/** Makes the wait due. */
async function letTimePass(id: string): Promise<void> {
  await query("pass", "UPDATE execution_wait SET until = until - interval '1 hour' WHERE execution_id = $1", [id]);
  await query("due", "UPDATE execution SET wake_at = wake_at - interval '1 hour' WHERE id = $1", [id]);
}

const rowOf = (id: string) => database().execution.findUniqueOrThrow({ where: { id } });
const read = (id: string) => readExecution(actor, id, { includeLogs: true, includeNodeOutputs: true });

describe("a run with nothing left but a long wait", () => {
  const nodes = [call("before"), delay("pause", hourMs), call("after")];
  const edges = [edge("before -> pause"), edge("pause -> after")];

  test("is suspended: running, without a lease, in no process's memory, and not claimed before it is due", async () => {
    const { id, claim } = await claimed(nodes, edges);
    expect(await driveRun(claim.run, claim.recorded)).toBeNull();
    const row = await rowOf(id);
    expect(row).toMatchObject({ status: "running", leaseOwner: null, leaseUntil: null, losses: 0 });
    expect(row.wakeAt?.getTime()).toBeGreaterThan(Date.now() + hourMs - 60_000);
    expect([runningRuns().size, waitingRuns().size]).toEqual([0, 0]);
    expect(await claimRuns(10)).toEqual([]);
    expect((await read(id)).nodes.map(({ status }) => status)).toEqual(["completed", "running", "pending"]);
  });

  test("resumes when due: nothing is repeated, and no loss is counted", async () => {
    const { id, claim } = await claimed(nodes, edges);
    await driveRun(claim.run, claim.recorded);
    const startedAt = (await read(id)).nodes[1]?.startedAt;
    await letTimePass(id);
    const reclaimed = await claimAgain(id);
    expect((await driveRun(reclaimed.run, reclaimed.recorded))?.status).toBe("completed");
    expect(sent).toBe(2);
    expect(await rowOf(id)).toMatchObject({ losses: 0, fence: 2, nodesExecuted: 3 });
    const { nodes: ended } = await read(id);
    expect(ended.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
    expect(ended[1]).toMatchObject({ startedAt, output: { status: 200 } });
  });

  test("is cancelled while suspended, and stays so when due", async () => {
    const { id, claim } = await claimed(nodes, edges);
    await driveRun(claim.run, claim.recorded);
    await cancelExecution(actor, id, "enough");
    await letTimePass(id);
    expect(await claimRuns(10)).toEqual([]);
    const { status, nodes: ended } = await read(id);
    expect([status, ...ended.map((item) => item.status)]).toEqual(["cancelled", "completed", "cancelled", "skipped"]);
    expect(sent).toBe(1);
  });

  // Proves execution-status.timeout-waiting
  test("keeps the time limit it has used; the wait does not count", async () => {
    const { id, claim } = await claimed(nodes, edges);
    await driveRun({ ...claim.run, workedMs: 700 }, claim.recorded);
    expect((await rowOf(id)).workMs).toBeGreaterThanOrEqual(700);
    await letTimePass(id);
    const reclaimed = await claimAgain(id);
    expect(reclaimed.run.workedMs).toBe((await rowOf(id)).workMs);
  });
});

describe("a short wait", () => {
  test("stays in memory: the run ends under the same claim", async () => {
    const { id, claim } = await claimed([delay("pause", 30), call("after")], [edge("pause -> after")]);
    expect((await driveRun(claim.run, claim.recorded))?.status).toBe("completed");
    expect(await rowOf(id)).toMatchObject({ fence: 1, wakeAt: null });
  });

  // Proves execution-status.timeout-waiting
  test("does not count as work", async () => {
    const { claim } = await claimed([delay("pause", 400)]);
    expect((await driveRun({ ...claim.run, timeoutMs: 200 }, claim.recorded))?.status).toBe("completed");
  });

  test("ends with a cancellation", async () => {
    const { id, claim } = await claimed([delay("pause", 4_000), call("after")], [edge("pause -> after")]);
    const end = driveRun(claim.run, claim.recorded);
    await cancelExecution(actor, id, null);
    expect((await end)?.status).toBe("cancelled");
    expect(sent).toBe(0);
  });
});

describe("beside a wait", () => {
  test("other branches continue; the run is suspended only after them, with the wait on disk before", async () => {
    const nodes = [delay("pause", hourMs), call("a"), call("b"), node("join", "log", {})];
    const edges = [edge("a -> b"), edge("b -> join"), edge("pause -> join")];
    const { id, claim } = await claimed(nodes, edges);
    await driveRun(claim.run, claim.recorded);
    const statuses = (await read(id)).nodes.map(({ status }) => status);
    expect(statuses).toEqual(["running", "completed", "completed", "pending"]);
    await letTimePass(id);
    const reclaimed = await claimAgain(id);
    await driveRun(reclaimed.run, reclaimed.recorded);
    expect([(await read(id)).status, sent]).toEqual(["completed", 2]);
  });

  test("a failure ends the run at once: the wait is abandoned", async () => {
    const fails = node("fails", "if-else", { condition: "{{ $trigger.body.no.deeper }}" });
    const { id, claim } = await claimed([delay("pause", hourMs), fails]);
    expect((await driveRun(claim.run, claim.recorded))?.status).toBe("failed");
    expect((await read(id)).nodes.map(({ status }) => status)).toEqual(["cancelled", "failed"]);
  });

  test("a shorter one stays in memory, and its branch continues before the run is suspended", async () => {
    const nodes = [delay("long", hourMs), delay("short", 20), call("after")];
    const { id, claim } = await claimed(nodes, [edge("short -> after")]);
    await driveRun(claim.run, claim.recorded);
    expect((await read(id)).nodes.map(({ status }) => status)).toEqual(["running", "completed", "completed"]);
    expect(sent).toBe(1);
  });
});

describe("a call to a waiting step", () => {
  const nodes = [node("wait", "wait", {}), call("after")];

  test("at the very moment its run is suspended is never lost", async () => {
    const flow = await storedFlow(actor, nodes, [edge("wait -> after")]);
    const ids = await Promise.all(Array.from({ length: 150 }, () => storedExecution(flow)));
    const claims = await claimRuns(ids.length);
    const resumed = ids.map(async (id, index) => {
      const found = await eventually("the step waits", async () => {
        const wait = await findWait(id, "wait");
        return wait?.state === "open" ? wait : undefined;
      });
      for (let turn = 0; turn < index % 5; turn += 1) await query("turn", "SELECT 1", []);
      await resumeWait(found, { body: { index }, by: "link" });
      await waitingRuns().get(id)?.check();
    });
    await Promise.all([...resumed, ...claims.map(({ run, recorded }) => driveRun(run, recorded))]);
    await eventually("all runs complete", async () => {
      const reclaimed = await claimRuns(200);
      await Promise.all(reclaimed.map(({ run, recorded }) => driveRun(run, recorded)));
      const open = await database().execution.count({ where: { id: { in: ids }, status: "running" } });
      return open === 0 ? true : undefined;
    });
    for (const [index, id] of ids.entries()) {
      expect((await read(id)).nodes[0]).toMatchObject({ handle: "resumed", output: { body: { index } } });
    }
  });
});

describe("a call that is accepted in time", () => {
  test("counts, even if the process that waits has not heard of it when the time limit passes", async () => {
    const nodes = [node("wait", "wait", { timeoutMs: 500 }), call("answered"), call("late")];
    const { id, claim } = await claimed(nodes, [edge("wait -> answered"), edge("wait:timeout -> late")]);
    const end = driveRun(claim.run, claim.recorded);
    const found = await eventually("the step waits", async () => {
      const wait = await findWait(id, "wait");
      return wait?.state === "open" ? wait : undefined;
    });
    // Another process takes the call.
    await resumeWait(found, { body: { ok: true }, by: "link" });
    expect((await end)?.status).toBe("completed");
    expect((await read(id)).nodes).toMatchObject([
      { handle: "resumed", output: { body: { ok: true } } },
      { status: "completed" },
      { status: "skipped" },
    ]);
  });
});

describe("a run driven in stretches", () => {
  test("leaves steps that have not started in time to the next stretch, which repeats nothing", async () => {
    const { id, claim } = await claimed([call("first"), call("second")], [edge("first -> second")]);
    const ended: string[] = [];
    // The second step has not started when the first ends; by then, time is up.
    const short = { beginsUntil: Number.POSITIVE_INFINITY };
    const stretch = {
      get beginsUntil() {
        return short.beginsUntil;
      },
      onEnd: (step: { id: string }) => {
        ended.push(step.id);
        short.beginsUntil = 0;
      },
    };
    expect(await driveRun(claim.run, claim.recorded, 0, undefined, stretch)).toBeNull();
    expect([ended, sent]).toEqual([["first"], 1]);
    const reclaimed = await claimAgain(id);
    expect((await driveRun(reclaimed.run, reclaimed.recorded))?.status).toBe("completed");
    expect(sent).toBe(2);
  });
});

test("a run whose sub-flow ends before it waits for it continues at once, although nobody wakes it", async () => {
  const child = await storedFlow(actor);
  const { claim } = await claimed([node("child", "sub-flow", { flowId: child.id })]);
  runSignals().start = async (flow, request) => {
    const execution = newExecution(flow, { ...request, leaseOwner: "another" });
    await insertExecution(execution);
    await finishExecution(finished(execution.id, null));
  };
  expect((await driveRun(claim.run, claim.recorded))?.status).toBe("completed");
});
