import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newActor, useOwnDatabase } from "#e2e/support/own-database.ts";
import type { StartedFlow } from "#lib/executions/new-execution.ts";
import { recordNodes } from "#lib/executions/record-nodes.ts";
import { runningRuns } from "#lib/executions/running-runs.ts";
import { letLeaseExpire, nodeRecord, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { database, query } from "#lib/platform/database.ts";
import { claimRuns } from "./claim-runs.ts";
import { processName } from "./process-name.ts";

let own: { drop(): Promise<void> };
let flow: StartedFlow;

beforeAll(async () => {
  own = await useOwnDatabase();
  flow = await storedFlow(await newActor());
});
afterEach(async () => {
  runningRuns().clear();
  await query("forget-runs", "DELETE FROM execution", []);
});
afterAll(() => own.drop());

const idsOf = (claims: Awaited<ReturnType<typeof claimRuns>>) => claims.map(({ run }) => run.id);
const rowOf = (id: string) => database().execution.findUniqueOrThrow({ where: { id } });

describe("a run that nobody has", () => {
  test("is taken by exactly one of several who ask at once", async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, () => storedExecution(flow)));
    const taken = (await Promise.all(Array.from({ length: 12 }, () => claimRuns(7)))).flatMap(idsOf);
    expect(new Set(taken).size).toBe(taken.length);
    const rest = idsOf(await claimRuns(100));
    expect([...taken, ...rest].toSorted()).toEqual(ids.toSorted());
    expect(idsOf(await claimRuns(100))).toEqual([]);
  });

  test("is held under the first fence by this process, and no more are taken than asked for", async () => {
    const [first] = [await storedExecution(flow), await storedExecution(flow)];
    const claims = await claimRuns(1);
    expect(idsOf(claims)).toEqual([first]);
    expect(claims[0]?.run.fence).toBe(1);
    expect(await rowOf(first)).toMatchObject({ status: "running", leaseOwner: processName(), losses: 0 });
  });
});

describe("a run whose process is gone", () => {
  test("is taken over when its lease has run out, not before, with what its nodes came to", async () => {
    const id = await storedExecution(flow, "another");
    expect(await claimRuns(10)).toEqual([]);
    await recordNodes({ executionId: id, fence: 1, nodes: [nodeRecord("a", { output: "7" })], logs: [] });
    await letLeaseExpire(id);
    const [claim] = await claimRuns(10);
    expect(claim?.run).toMatchObject({ id, fence: 2 });
    expect([...(claim?.recorded.outcomes.keys() ?? [])]).toEqual(["a"]);
    expect((await rowOf(id)).losses).toBe(1);
  });

  test("is given up with WORKER_LOST when it lost its process three times", async () => {
    const id = await storedExecution(flow, "another");
    for (const losses of [1, 2]) {
      await letLeaseExpire(id);
      expect(idsOf(await claimRuns(10))).toEqual([id]);
      expect((await rowOf(id)).losses).toBe(losses);
    }
    await letLeaseExpire(id);
    expect(await claimRuns(10)).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ status: "failed", errorCode: "WORKER_LOST", errorCount: 1 });
  });

  test("is not counted as a loss when it was handed back", async () => {
    const id = await storedExecution(flow, "another");
    await query("hand-back", "UPDATE execution SET lease_owner = NULL WHERE id = $1", [id]);
    await letLeaseExpire(id);
    expect(idsOf(await claimRuns(10))).toEqual([id]);
    expect((await rowOf(id)).losses).toBe(0);
  });

  test("of a flow version that is gone fails and says so", async () => {
    const gone = await storedFlow(await newActor());
    const id = await storedExecution(gone);
    await database().flowVersion.deleteMany({ where: { flowId: gone.id } });
    expect(await claimRuns(10)).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ status: "failed", errorCode: "FLOW_GONE" });
  });
});

describe("a run that this process is doing", () => {
  test("is not taken from itself, however late its heartbeat is", async () => {
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
