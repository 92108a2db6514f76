import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { journalLimits } from "#lib/executions/store/journal.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { recordNodes } from "#lib/executions/store/record-nodes.ts";
import { runningRuns } from "#lib/executions/store/runs-in-process.ts";
import { letLeaseExpire, nodeRecord, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { database, query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { MemoryTurns } from "#lib/runtime/drive/memory-turns.ts";
import { processName } from "#lib/runtime/runtime.ts";
import { claimRows, claimRuns } from "./claim-runs.ts";

let flow: StartedFlow;
let isShort = false;

inOwnDatabase();
beforeAll(async () => {
  singleton("memory-turns", () => new MemoryTurns(() => isShort));
  flow = await storedFlow(await newActor());
});
afterEach(async () => {
  isShort = false;
  runningRuns().clear();
  await query("forget-runs", "DELETE FROM execution", []);
});

const idsOf = (claims: Awaited<ReturnType<typeof claimRuns>>) => claims.map(({ run }) => run.id);
const rowOf = (id: string) => database().execution.findUniqueOrThrow({ where: { id } });

describe("an unclaimed run", () => {
  test("is claimed by exactly one of several concurrent processes", async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, () => storedExecution(flow)));
    const taken = (await Promise.all(Array.from({ length: 12 }, () => claimRuns(7)))).flatMap(idsOf);
    expect(new Set(taken).size).toBe(taken.length);
    const rest = idsOf(await claimRuns(100));
    expect([...taken, ...rest].toSorted()).toEqual(ids.toSorted());
    expect(idsOf(await claimRuns(100))).toEqual([]);
  });

  test("gets its first fence, and no more runs are claimed than requested", async () => {
    const [first] = [await storedExecution(flow), await storedExecution(flow)];
    const claims = await claimRuns(1);
    expect(idsOf(claims)).toEqual([first]);
    expect(claims[0]?.run.fence).toBe(1);
    expect(await rowOf(first)).toMatchObject({ status: "running", leaseOwner: processName(), losses: 0 });
  });
});

describe("runs whose wait is over", () => {
  const wake = "UPDATE execution SET status = 'running', wake_at = now() - interval '1 minute' WHERE id = ANY($1)";

  test("come first, and leave a quarter to pending ones", async () => {
    const due = await Promise.all(Array.from({ length: 20 }, () => storedExecution(flow)));
    await query("wake-runs", wake, [due]);
    expect(idsOf(await claimRuns(8)).every((id) => due.includes(id))).toBe(true);
    const pending = await Promise.all(Array.from({ length: 4 }, () => storedExecution(flow)));
    const taken = idsOf(await claimRuns(8));
    expect(taken).toHaveLength(8);
    expect(taken.filter((id) => pending.includes(id))).toHaveLength(2);
  });

  test("do not keep a pending run from a process that has only one slot", async () => {
    const due = await Promise.all(Array.from({ length: 40 }, () => storedExecution(flow)));
    await query("wake-runs", wake, [due]);
    const pending = await storedExecution(flow);
    const taken: string[] = [];
    while (!taken.includes(pending) && taken.length <= due.length) taken.push(...idsOf(await claimRuns(1)));
    expect(taken).toContain(pending);
    expect(taken.length).toBeLessThan(due.length);
  });
});

describe("a run whose process is gone", () => {
  test("is taken over when its lease has expired, not before, with its recorded outcomes", async () => {
    const id = await storedExecution(flow, "another");
    expect(await claimRuns(10)).toEqual([]);
    await recordNodes({ executionId: id, fence: 1, nodes: [nodeRecord("a", { output: "7" })], logs: [] });
    await letLeaseExpire(id);
    const [claim] = await claimRuns(10);
    expect(claim?.run).toMatchObject({ id, fence: 2 });
    expect([...(claim?.recorded.outcomes.keys() ?? [])]).toEqual(["a"]);
    expect((await rowOf(id)).losses).toBe(1);
  });

  test("fails with WORKER_LOST when it has lost its process five times in a row", async () => {
    const id = await storedExecution(flow, "another");
    for (const losses of [1, 2, 3, 4]) {
      await letLeaseExpire(id);
      expect(idsOf(await claimRuns(10))).toEqual([id]);
      expect((await rowOf(id)).losses).toBe(losses);
    }
    await letLeaseExpire(id);
    expect(await claimRuns(10)).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ status: "failed", errorCode: "WORKER_LOST", errorCount: 1 });
  });

  test("never fails for that while its steps make progress, however often it loses its process", async () => {
    const id = await storedExecution(flow, "another");
    for (const step of ["a", "b", "c", "d", "e", "f", "g"]) {
      await letLeaseExpire(id);
      const [claim] = await claimRuns(10);
      expect(claim?.run.id).toBe(id);
      const nodes = [nodeRecord(step)];
      await recordNodes({ executionId: id, fence: claim?.run.fence ?? 0, nodes, logs: [] });
    }
    expect((await rowOf(id)).losses).toBe(1);
  });

  test("is the only such run in a process from its third loss until one of its steps ends", async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, () => storedExecution(flow, "another")));
    for (let losses = 1; losses <= 2; losses += 1) {
      for (const id of ids) await letLeaseExpire(id);
      expect(idsOf(await claimRuns(10)).toSorted()).toEqual(ids.toSorted());
    }
    for (const id of ids) await letLeaseExpire(id);
    const fresh = await storedExecution(flow);
    const claims = await claimRuns(10);
    const suspects = claims.filter(({ run }) => run.isSuspect);
    expect([claims.length, suspects.length, idsOf(claims).includes(fresh)]).toEqual([2, 1, true]);
    const [suspect] = suspects;
    if (suspect === undefined) return expect.fail();
    runningRuns().set(suspect.run.id, suspect.run);
    expect(await claimRuns(10)).toEqual([]);

    suspect.run.isSuspect = false;
    const [next] = await claimRuns(10);
    expect([next?.run.isSuspect, next?.run.id === suspect.run.id]).toEqual([true, false]);
  });

  test("is not charged with a loss when it was released", async () => {
    const id = await storedExecution(flow, "another");
    await query("hand-back", "UPDATE execution SET lease_owner = NULL WHERE id = $1", [id]);
    await letLeaseExpire(id);
    expect(idsOf(await claimRuns(10))).toEqual([id]);
    expect((await rowOf(id)).losses).toBe(0);
  });

  test("logs no more than one run may, however often it is taken over or waits", async () => {
    const id = await storedExecution(flow, "another");
    const entry = (nodeId: string) =>
      ({ timestamp: new Date().toISOString(), level: "info", nodeId, message: "x" }) as const;
    const logs = Array.from({ length: journalLimits.logEntriesMax }, () => ({ ...entry("a"), data: null }));
    await recordNodes({ executionId: id, fence: 1, nodes: [], logs });
    await letLeaseExpire(id);
    const [claim] = await claimRuns(10);
    claim?.run.journal.log("info", "a", "one too many", null);
    expect(claim?.run.journal.take().logs).toEqual([]);
  });

  test("of a deleted flow version fails and says so", async () => {
    const deletedFlow = await storedFlow(await newActor());
    const id = await storedExecution(deletedFlow);
    await database().flowVersion.deleteMany({ where: { flowId: deletedFlow.id } });
    expect(await claimRuns(10)).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ status: "failed", errorCode: "FLOW_GONE" });
  });
});

describe("turns between flows", () => {
  const runsOf = async (count: number) => {
    const of = await storedFlow(await newActor());
    return { flowId: of.id, ids: await Promise.all(Array.from({ length: count }, () => storedExecution(of))) };
  };
  const flowsOf = (claims: Awaited<ReturnType<typeof claimRuns>>) => claims.map(({ run }) => run.flowId);

  test("are equal, whatever each has queued", async () => {
    const flows = [await runsOf(50), await runsOf(2), await runsOf(1)];
    const [busy, few, one] = flows.map(({ flowId }) => flowId);
    const claims = flowsOf(await claimRuns(6));
    expect(claims.toSorted()).toEqual([busy, busy, few, few, one].toSorted());
  });

  test("rotate one by one when there is one slot", async () => {
    const flows = [await runsOf(3), await runsOf(3), await runsOf(3)].map(({ flowId }) => flowId).toSorted();
    const turns: string[] = [];
    for (let index = 0; index < 9; index += 1) {
      const afterFlowId = turns.at(-1) ?? "";
      const claims = await claimRuns(1, { afterFlowId });
      turns.push(...flowsOf(claims.length > 0 ? claims : await claimRuns(1)));
    }
    expect(turns).toEqual([...flows, ...flows, ...flows]);
  });

  test("skip a flow that is at its maximum, and take the oldest run first", async () => {
    const [busy, other] = [await runsOf(5), await runsOf(5)];
    const turn = { flowRunsMax: 4, flowRuns: { [busy.flowId]: 3 } };
    expect(flowsOf(await claimRuns(100, turn)).toSorted()).toEqual(
      [busy.flowId, ...Array.from({ length: 4 }, () => other.flowId)].toSorted(),
    );
    expect(await claimRuns(100, { flowRunsMax: 4, flowRuns: { [busy.flowId]: 4, [other.flowId]: 4 } })).toEqual([]);
  });

  test("skip a workspace that is at its maximum, however many flows it has", async () => {
    const actor = await newActor();
    const crowd = await Promise.all(Array.from({ length: 12 }, () => storedFlow(actor)));
    for (const flow of crowd) await Promise.all([storedExecution(flow), storedExecution(flow)]);
    const other = await runsOf(3);
    const { workspaceId } = actor;
    // All of its flows may be first in turn.
    const none = await claimRuns(2, { workspaceRunsMax: 9, workspaceRuns: { [workspaceId]: 9 } });
    expect(flowsOf(none)).toEqual([other.flowId, other.flowId]);
    const some = await claimRuns(20, { workspaceRunsMax: 9, workspaceRuns: { [workspaceId]: 4 } });
    expect(some.filter(({ run }) => run.workspaceId === workspaceId)).toHaveLength(5);
    expect(flowsOf(some)).toContain(other.flowId);
  });

  test("find the next flow's runs among ten thousand queued ones, of one flow or of a thousand", async () => {
    const { ids } = await runsOf(1);
    await query(
      "copy-runs",
      `INSERT INTO execution (id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source,
         metadata, started_at, timeout_ms)
       SELECT 'exec_' || n || g, workspace_id, CASE g WHEN 1 THEN flow_id ELSE 'flow_' || n % 1000 END, flow_name,
         flow_version, status, trigger_type, trigger, source, metadata, started_at + n * interval '1 ms', timeout_ms
       FROM execution, generate_series(1, 10000) AS n, generate_series(1, 2) AS g WHERE id = $1`,
      [ids[0]],
    );
    await query("analyze", "ANALYZE execution", []);
    for (let index = 0, afterFlowId = ""; index < 10; index += 1) {
      const rows = await claimRows(50, { afterFlowId });
      expect(rows.length).toBeGreaterThan(0);
      afterFlowId =
        rows
          .map((row) => row.flow_id)
          .toSorted()
          .at(-1) ?? "";
    }
  });
});

test("a lease from a clock that was set back since has expired", async () => {
  const id = await storedExecution(flow, "another");
  await query("set-back", "UPDATE execution SET lease_until = now() + interval '1 hour' WHERE id = $1", [id]);
  expect(idsOf(await claimRuns(10))).toEqual([id]);
});

describe("a run that this process is working on", () => {
  test("is not claimed again by itself, however late its heartbeat is", async () => {
    const id = await storedExecution(flow);
    const [claim] = await claimRuns(1);
    if (claim === undefined) throw new Error("the run was not taken");
    runningRuns().set(id, claim.run);
    await letLeaseExpire(id);
    expect(await claimRuns(10)).toEqual([]);
    runningRuns().delete(id);
    expect(idsOf(await claimRuns(10))).toEqual([id]);
  });
});

describe("runs that keep much", () => {
  const keeping = async (bytes: number) => {
    const id = await storedExecution(flow, "another");
    const output = JSON.stringify("x".repeat(bytes));
    await recordNodes({ executionId: id, fence: 1, nodes: [nodeRecord("a", { output })], logs: [] });
    await letLeaseExpire(id);
    return id;
  };

  test("are read a few at a time: the others stay free for all processes, and lose nothing", async () => {
    const [first, second] = [await keeping(27_000_000), await keeping(27_000_000)];
    const small = await keeping(1_000);
    expect(idsOf(await claimRuns(10)).toSorted()).toEqual([first, small].toSorted());
    const { leaseOwner, losses } = await rowOf(second);
    expect([leaseOwner, losses]).toEqual([null, 1]);
    await letLeaseExpire(second);
    expect(idsOf(await claimRuns(10))).toEqual([second]);
    expect((await rowOf(second)).losses).toBe(1);
  });

  test("are taken one after the other while memory is short, unlike small ones", async () => {
    isShort = true;
    const [first, second] = [await keeping(2_000_000), await keeping(2_000_000)];
    const [claim] = await claimRuns(10);
    expect(claim?.run.id).toBe(first);
    if (claim === undefined) return expect.fail();
    runningRuns().set(first, claim.run);
    await letLeaseExpire(second);
    const small = await keeping(1_000);
    expect(idsOf(await claimRuns(10))).toEqual([small]);
    runningRuns().clear();
    await letLeaseExpire(second);
    expect(idsOf(await claimRuns(10))).toContain(second);
  });
});
