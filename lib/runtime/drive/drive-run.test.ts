import { beforeAll, describe, expect, test, vi } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { edge, node } from "#lib/engine/testing/flows.ts";
import { cancelExecution } from "#lib/executions/cancel-execution.ts";
import { runSignals } from "#lib/executions/live/run-signals.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { readExecution } from "#lib/executions/read-execution.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import { insertExecution } from "#lib/executions/store/insert-execution.ts";
import { newExecution } from "#lib/executions/store/new-execution.ts";
import { noRecords } from "#lib/executions/store/node-record.ts";
import { recordNodes } from "#lib/executions/store/record-nodes.ts";
import type { FinishedRun } from "#lib/executions/store/run-row.ts";
import { runningRuns, stopRun } from "#lib/executions/store/runs-in-process.ts";
import { letLeaseExpire, nodeRecord, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { database, pool, query } from "#lib/platform/database.ts";
import type { OutboundAnswer, OutboundRequest } from "#lib/platform/outbound/outbound.ts";
import { OutboundError } from "#lib/platform/outbound/outbound-error.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { claimRuns } from "#lib/runtime/embedded/claim-runs.ts";
import { driveRun } from "./drive-run.ts";
import { storedRecord } from "./run-record.ts";

let actor: Actor;
const sent: OutboundRequest[] = [];
let answer: (request: OutboundRequest) => Promise<OutboundAnswer>;

const ok = async () => ({ status: 200, headers: {}, body: Buffer.from("") });

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  singleton("outside", () => ({
    sandbox: { run: () => Promise.reject(new Error("not needed here")) } as unknown as Outside["sandbox"],
    outbound: {
      send: (request) => {
        sent.push(request);
        return answer(request);
      },
    } as Outside["outbound"],
  }));
});

const call = (id: string) => node(id, "http-request", { url: "https://api.test/", method: "POST" });
const respond = (id: string, body: string) => node(id, "respond", { status: 201, headers: { "x-said": id }, body });

/** Stores and claims a run of this flow. */
async function claimed(nodes: readonly FlowNode[], edges: readonly FlowEdge[] = []) {
  sent.length = 0;
  answer = ok;
  const id = await storedExecution(await storedFlow(actor, nodes, edges));
  return { id, claim: await claimAgain(id) };
}

async function claimAgain(id: string) {
  const found = (await claimRuns(100)).find(({ run }) => run.id === id);
  if (found === undefined) throw new Error("the run was not taken");
  return found;
}

const read = (id: string) => readExecution(actor, id, { includeLogs: true, includeNodeOutputs: true });

const waitingHere = `
  SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe("a run", () => {
  test("whose record fails for an unknown reason is left to another process, and the log says why", async () => {
    const { claim } = await claimed([call("ends"), call("hangs")]);
    answer = async ({ signal }) => {
      if (sent.length === 1) return await ok();
      return await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    const write: typeof storedRecord.write = async (records) => {
      if (records.nodes.some(({ completedAt }) => completedAt !== null)) throw new Error("the table has another form");
      return await storedRecord.write(records);
    };
    const logged = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
    expect(await driveRun(claim.run, claim.recorded, 0, { ...storedRecord, write })).toBeNull();
    const lines = logged.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(claim.run.id));
    logged.mockRestore();
    expect(lines).toEqual([expect.stringContaining("the table has another form")]);
  });

  test("from the queue, without outside effects, is stored as one value, which the first reader unfolds", async () => {
    const { id, claim } = await claimed([node("note", "log", { message: "hello" })]);
    expect((await driveRun(claim.run, claim.recorded))?.status).toBe("completed");
    expect(await database().nodeExecution.count({ where: { executionId: id } })).toBe(0);
    expect((await read(id)).nodes).toMatchObject([{ nodeId: "note", status: "completed" }]);
    expect(await database().nodeExecution.count({ where: { executionId: id } })).toBe(1);
  });

  test("is stored completely before its end is visible: no reader sees an end without its nodes", async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const { id, claim } = await claimed([call("call")]);
      const end = await driveRun(claim.run, claim.recorded);
      expect(end?.status).toBe("completed");
      expect(await read(id)).toMatchObject({
        status: "completed",
        nodesExecuted: 1,
        nodes: [{ nodeId: "call", status: "completed", output: { status: 200 } }],
      });
    }
  });

  test("whose last node ends while another's record is being written ends after both", async () => {
    const other = await storedExecution(await storedFlow(actor), "another");
    const ofOther = { executionId: other, fence: 1, nodes: [nodeRecord("x")], logs: [] };
    await recordNodes(ofOther);
    const { id, claim } = await claimed([call("a"), call("b")]);
    const open = { a: deferred<void>(), b: deferred<void>() };
    answer = async ({ headers }) => {
      await (headers["idempotency-key"] === `${id}.a` ? open.a : open.b).promise;
      return ok();
    };
    let isEnded = false;
    const end = driveRun(claim.run, claim.recorded).then(() => {
      isEnded = true;
    });
    await eventually("both calls are open", () => (sent.length === 2 ? true : undefined));
    const blocking = await pool().connect();
    try {
      // Records leave one batch at a time: the first call's record has to wait behind this one.
      await blocking.query("BEGIN");
      await blocking.query("SELECT 1 FROM node_execution WHERE execution_id = $1 FOR UPDATE", [other]);
      const stuck = recordNodes(ofOther);
      await eventually("a record waits", async () =>
        (await query("waiting", waitingHere, [])).length > 0 ? true : undefined,
      );
      open.a.resolve();
      for (let turn = 0; turn < 10; turn += 1) await query("turn", "SELECT 1", []);
      open.b.resolve();
      for (let turn = 0; turn < 100; turn += 1) await query("turn", "SELECT 1", []);
      expect(isEnded).toBe(false);
      await blocking.query("ROLLBACK");
      await Promise.all([stuck, end]);
    } finally {
      await blocking.query("ROLLBACK");
      blocking.release();
    }
    expect((await read(id)).nodes.map(({ status }) => status)).toEqual(["completed", "completed"]);
  });

  test("whose request reaches nobody fails at that node instead of being retried like a database outage", async () => {
    const { id, claim } = await claimed([call("call")]);
    const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    answer = () => Promise.reject(new OutboundError("CONNECT_FAILED", "Nobody answers (api.test)", { cause }));
    const end = await driveRun(claim.run, claim.recorded);
    expect(end?.status).toBe("failed");
    expect(await read(id)).toMatchObject({ status: "failed", error: { nodeId: "call", code: "CONNECT_FAILED" } });
  });

  test("with text that no database column can hold still ends", async () => {
    const { id, claim } = await claimed([node("log", "log", { message: "a\u0000b", level: "warning" })]);
    expect((await driveRun(claim.run, claim.recorded))?.status).toBe("completed");
    const { status, logs, warnings } = await read(id);
    const entry = logs?.find(({ nodeId }) => nodeId === "log");
    expect([status, entry?.message, warnings[0]?.message]).toEqual(["completed", "a\ufffdb", "a\u0000b"]);
  });

  test("that is cancelled has its open request aborted, and nothing starts afterwards", async () => {
    const { id, claim } = await claimed([call("call"), call("next")], [edge("call -> next")]);
    const begun = deferred<AbortSignal>();
    answer = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        begun.resolve(signal);
      });
    const end = driveRun(claim.run, claim.recorded);
    const signal = await begun.promise;
    await cancelExecution(actor, id, "enough");
    expect(signal.aborted).toBe(true);
    expect((await end)?.status).toBe("cancelled");
    expect(sent).toHaveLength(1);
    const { status, reason, nodes } = await read(id);
    expect([status, reason, ...nodes.map((item) => item.status)]).toEqual([
      "cancelled",
      "enough",
      "cancelled",
      "skipped",
    ]);
  });

  test("that exceeds its time limit stops and says so", async () => {
    const { id, claim } = await claimed([call("call")]);
    answer = ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const end = await driveRun({ ...claim.run, timeoutMs: 20 }, claim.recorded);
    expect(end?.status).toBe("timeout");
    expect(await read(id)).toMatchObject({ status: "timeout", error: { code: "TIMEOUT", nodeId: null } });
  });
});

describe("a run continued under another claim", () => {
  test("does not repeat recorded nodes, and keeps the status and headers of the caller's answer", async () => {
    const warn = node("warn", "log", { level: "warning", message: "careful" });
    const nodes = [warn, respond("say", "hello"), call("call")];
    const { id, claim } = await claimed(nodes, [edge("warn -> say"), edge("say -> call")]);
    const open = deferred<OutboundAnswer>();
    const begun = deferred<void>();
    answer = () => {
      begun.resolve();
      return open.promise;
    };
    const first = driveRun(claim.run, claim.recorded);
    await begun.promise;

    runningRuns().clear();
    await letLeaseExpire(id);
    const second = await claimAgain(id);
    expect([...second.recorded.outcomes.keys()].toSorted()).toEqual(["say", "warn"]);
    answer = ok;
    const end = await driveRun(second.run, second.recorded);
    expect(end).toMatchObject({ status: "completed", answer: { status: 201, headers: { "x-said": "say" } } });
    expect(end?.output?.value).toBe("hello");
    expect(new Set(sent.map(({ headers }) => headers["idempotency-key"]))).toEqual(new Set([`${id}.call`]));

    const before = await read(id);
    expect(before).toMatchObject({
      nodesExecuted: 3,
      warningCount: 1,
      warnings: [{ nodeId: "warn", message: "careful" }],
    });
    expect(before.logs?.filter(({ nodeId }) => nodeId !== null)).toHaveLength(1);
    open.resolve({ status: 500, headers: {}, body: Buffer.from("late") });
    expect(await first).toBeNull();
    expect(await read(id)).toEqual(before);
  });

  test("keeps the items of a loop that was in progress when its process shut down", async () => {
    const body = { nodes: [call("call")], edges: [] } as unknown as JsonObject;
    const { id, claim } = await claimed([node("loop", "loop", { items: [1, 2, 3], body })]);
    const begun = deferred<void>();
    answer = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        begun.resolve();
      });
    const first = driveRun(claim.run, claim.recorded);
    await begun.promise;
    stopRun(id, "handover");
    expect(await first).toBeNull();
    // Written after the records of the first claim.
    await recordNodes({ executionId: id, fence: 1, nodes: [], logs: [] });
    await letLeaseExpire(id);
    const second = await claimAgain(id);
    expect(second.recorded.begun.get("loop")?.loop).toMatchObject({
      items: [{ value: 1 }, { value: 2 }, { value: 3 }],
    });
  });

  test("that has ended it unheard still wakes the run that waits for its end", async () => {
    const child = await storedFlow(actor, [node("note", "log", { message: "hello" })]);
    const { id, claim } = await claimed([node("child", "sub-flow", { flowId: child.id })]);
    runSignals().start = async (flow, request) => {
      await insertExecution(newExecution(flow, { ...request, leaseOwner: null }));
    };
    expect(await driveRun(claim.run, claim.recorded)).toBeNull();
    const rowOf = () => database().execution.findUniqueOrThrow({ where: { id } });
    expect((await rowOf()).wakeAt?.getTime()).toBeGreaterThan(Date.now() + 60_000);
    const [own] = await claimRuns(100);
    if (own === undefined) throw new Error("the sub-flow was not taken");
    // The end is stored, but its acknowledgement is lost.
    const unheard = { ...storedRecord, end: async (run: FinishedRun) => !(await finishExecution(run)) };
    expect((await driveRun(own.run, own.recorded, 0, unheard))?.status).toBe("completed");
    const again = await claimAgain(id);
    expect((await driveRun(again.run, again.recorded))?.status).toBe("completed");
  });

  test("in the same process stays registered when the earlier claim ends", async () => {
    const { id, claim } = await claimed([call("call")]);
    const opens = [deferred<OutboundAnswer>(), deferred<OutboundAnswer>()];
    const begun = [deferred<void>(), deferred<void>()];
    answer = () => {
      begun[sent.length - 1]?.resolve();
      return (opens[sent.length - 1] as (typeof opens)[number]).promise;
    };
    const first = driveRun(claim.run, claim.recorded);
    await begun[0]?.promise;
    runningRuns().delete(id);
    await letLeaseExpire(id);
    runningRuns().set(id, claim.run);
    await database().execution.update({ where: { id }, data: { fence: { increment: 1 } } });
    const later = { ...claim.run, fence: 2, stop: new AbortController() };
    const second = driveRun(later, noRecords);
    await begun[1]?.promise;
    expect(claim.run.stop.signal.aborted).toBe(true);
    opens[0]?.resolve(await ok());
    expect(await first).toBeNull();
    expect(runningRuns().get(id)).toBe(later);
    opens[1]?.resolve(await ok());
    expect((await second)?.status).toBe("completed");
    expect(runningRuns().has(id)).toBe(false);
  });
});
