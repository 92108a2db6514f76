// Each event starts one run, however many processes poll and wherever one dies.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newActor, type ProxiedDatabase, useProxiedDatabase } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { FlowTrigger } from "#lib/engine/flow.ts";
import { depthHeader } from "#lib/engine/flow-body.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import { insertExecution } from "#lib/executions/store/insert-execution.ts";
import { newExecution, type StartRequest, triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { storeEndedRun } from "#lib/executions/store/store-ended-run.ts";
import { finished, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { updateFlow } from "#lib/flows/update-flow.ts";
import { deleteRow, insertRow, updateRow } from "#lib/tables/rows/write-rows.ts";
import { createTable, deleteTable } from "#lib/tables/tables.ts";
import { startForEvents } from "./trigger-events.ts";

let own: ProxiedDatabase;
let actor: Actor;
beforeAll(async () => {
  own = await useProxiedDatabase();
});
beforeEach(async () => {
  actor = await newActor();
});
afterAll(async () => {
  await own?.drop();
});

async function listening(
  type: FlowTrigger["type"],
  config: FlowTrigger["config"],
  status: "active" | "draft" = "active",
) {
  return await createFlow(actor, {
    name: "Listening",
    status,
    tags: [],
    variables: {},
    trigger: { type, config },
    nodes: [],
    edges: [],
  });
}

/** The inputs of a flow's runs, in order. */
async function startedWith(flowId: string): Promise<{ body: Record<string, unknown>; headers: object }[]> {
  const text = "SELECT trigger FROM execution WHERE flow_id = $1 ORDER BY id";
  return (await own.direct.query<{ trigger: string }>(text, [flowId])).rows.map(({ trigger }) => JSON.parse(trigger));
}
const bodiesOf = async (flowId: string) => (await startedWith(flowId)).map(({ body }) => body);

const newTable = () => {
  const column = { name: "n", type: "number" as const, unique: false, indexed: false, required: false };
  return createTable(actor, { name: "orders", columns: [column] });
};

describe("a flow with the trigger table", () => {
  test("gets a run for each change of a row, with the row before and after", async () => {
    const table = await newTable();
    const { id } = await listening("table", { table: "orders" });
    const row = await insertRow(actor, table.id, { n: 1 });
    const changed = await updateRow(actor, table.id, row.id, { n: 2 }, null);
    await deleteRow(actor, table.id, row.id, null);
    expect(await startForEvents()).toBe(3);
    expect(await bodiesOf(id)).toEqual([
      { change: "inserted", row, before: null },
      { change: "updated", row: changed, before: row },
      { change: "deleted", row: null, before: changed },
    ]);
    expect(await startForEvents()).toBe(0);
  });

  test("gets only the changes that it subscribes to, and only while it is active", async () => {
    const table = await newTable();
    const { id } = await listening("table", { table: table.id, on: ["updated"] });
    await listening("table", { table: table.id }, "draft");
    const row = await insertRow(actor, table.id, { n: 1 });
    await updateRow(actor, table.id, row.id, { n: 2 }, null);
    await updateFlow(actor, id, { trigger: { type: "table", config: { table: table.id, on: "deleted" } } }, null);
    await updateRow(actor, table.id, row.id, { n: 3 }, null);
    expect(await startForEvents()).toBe(1);
    await deleteRow(actor, table.id, row.id, null);
    await updateFlow(actor, id, { status: "inactive" }, null);
    await insertRow(actor, table.id, { n: 4 });
    // Earlier events start nothing once the flow is inactive.
    expect(await startForEvents()).toBe(0);
    expect((await bodiesOf(id)).map(({ change }) => change)).toEqual(["updated"]);
    expect((await own.direct.query("SELECT * FROM trigger_event")).rows).toEqual([]);
  });

  test("prevents the deletion of its table while it is active", async () => {
    const table = await newTable();
    const { id } = await listening("table", { table: table.id });
    await expect(deleteTable(actor, table.id)).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining('"Listening"'),
      details: { flowIds: [id] },
    });
    await updateFlow(actor, id, { status: "inactive" }, null);
    await deleteTable(actor, table.id);
  });

  test("is one of at most twenty per table", async () => {
    const table = await newTable();
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push((await listening("table", { table: n % 2 ? table.id : "orders" })).id);
    const refusal = { details: { "trigger.config.table": expect.stringContaining("20 flows") } };
    await expect(listening("table", { table: table.id })).rejects.toMatchObject(refusal);
    await updateFlow(
      actor,
      ids[0] ?? "",
      { trigger: { type: "table", config: { table: "orders", on: "deleted" } } },
      null,
    );
  });

  test("is refused without a table of the workspace", async () => {
    const table = await newTable();
    actor = await newActor();
    const wrong: [string, FlowTrigger["config"]][] = [
      ["table", {}],
      ["table", { table: "nothing" }],
      ["table", { table: table.id }],
      ["table", { table: "a\u0000" }],
      ["on", { table: "orders", on: ["read"] }],
      ["on", { table: "orders", on: [] }],
    ];
    for (const [field, config] of wrong) {
      await expect(listening("table", config)).rejects.toMatchObject({
        details: { [`trigger.config.${field}`]: expect.any(String) },
      });
    }
  });
});

/** A run of a flow that failed. */
async function failedRun(flow: Awaited<ReturnType<typeof storedFlow>>, request: Partial<StartRequest> = {}) {
  const trigger = triggerTextOf({ body: { order: 7 }, headers: {}, query: {}, method: "POST" });
  const startRequest = {
    triggerType: "webhook",
    source: "webhook",
    ip: null,
    userAgent: null,
    leaseOwner: "me",
  } as const;
  return newExecution(flow, { ...startRequest, trigger, ...request });
}
const failure = (id: string) =>
  finished(id, 1, { status: "failed", error: { message: 'No "order"', nodeId: "check", code: "CODE_FAILED" } });

describe("a flow with the trigger error", () => {
  test("gets a run for each failed run of other flows, with its details", async () => {
    const flow = await storedFlow(actor);
    const { id } = await listening("error", {});
    const run = await failedRun(flow);
    await insertExecution(run);
    await finishExecution(failure(run.id));
    const well = await failedRun(flow);
    await insertExecution(well);
    await finishExecution(finished(well.id, 1));
    expect(await startForEvents()).toBe(1);
    expect(await bodiesOf(id)).toEqual([
      {
        executionId: run.id,
        flowId: flow.id,
        flowName: "Test",
        error: 'No "order"',
        code: "CODE_FAILED",
        nodeId: "check",
        trigger: { type: "webhook", data: { order: 7 } },
        url: expect.stringContaining(`/runs/${run.id}`),
      },
    ]);
  });

  test("gets failures of runs that would have been stored in one write", async () => {
    const flow = await storedFlow(actor);
    const run = await failedRun(flow);
    expect(await storeEndedRun(run, failure(run.id))).toBe(true);
    await listening("error", {});
    const next = await failedRun(flow);
    expect(await storeEndedRun(next, failure(next.id))).toBe(false);
    const well = await failedRun(flow);
    expect(await storeEndedRun(well, finished(well.id, 1))).toBe(true);
  });

  test("ignores its own runs, runs that such a trigger started, and flows that it does not name", async () => {
    const [named, other] = [await storedFlow(actor), await storedFlow(actor)];
    const all = await listening("error", {});
    const listener = await listening("error", { flowIds: [named.id] });
    const runs = [
      await failedRun(named),
      await failedRun(other),
      await failedRun(other, { triggerType: "error", source: "error" }),
      await failedRun({ ...other, isDraft: true }),
      await failedRun({ ...other, id: all.id }),
    ];
    for (const run of runs) {
      await insertExecution(run);
      await finishExecution(failure(run.id));
    }
    await startForEvents();
    const failuresSeenBy = async (id: string) =>
      (await bodiesOf(id)).map(({ executionId }) => executionId).filter(Boolean);
    expect(await failuresSeenBy(all.id)).toEqual([runs[0]?.id, runs[1]?.id]);
    expect(await failuresSeenBy(listener.id)).toEqual([runs[0]?.id]);
  });

  test("is one level deeper than the failed run, and not started beyond the limit", async () => {
    const flow = await storedFlow(actor);
    const { id } = await listening("error", {});
    for (const depth of ["4", "5"]) {
      const trigger = triggerTextOf({ body: {}, headers: { [depthHeader]: depth }, query: {}, method: "POST" });
      const run = await failedRun(flow, { trigger });
      await insertExecution(run);
      await finishExecution(failure(run.id));
    }
    expect(await startForEvents()).toBe(1);
    expect((await startedWith(id)).map(({ headers }) => headers)).toEqual([{ [depthHeader]: "5" }]);
  });

  test("is refused with flows that the workspace does not have", async () => {
    const flow = await storedFlow(await newActor());
    for (const flowIds of ["x", [], ["x"], [flow.id], [1]]) {
      await expect(listening("error", { flowIds })).rejects.toMatchObject({
        details: { "trigger.config.flowIds": expect.any(String) },
      });
    }
  });
});

describe("each event starts one run", () => {
  async function withEvents(count: number) {
    const table = await newTable();
    const { id } = await listening("table", { table: table.id });
    for (let n = 0; n < count; n += 1) await insertRow(actor, table.id, { n });
    return id;
  }
  const counted = async (id: string) => (await bodiesOf(id)).map(({ row }) => (row as { n: number }).n).sort();

  test("with several processes at once", async () => {
    const id = await withEvents(8);
    const started = await Promise.all(Array.from({ length: 4 }, () => startForEvents()));
    expect(started.reduce((sum, count) => sum + count, 0)).toBe(8);
    expect(await counted(id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test("whichever statement the process dies at", async () => {
    await withEvents(2);
    own.proxy.arm(0);
    await startForEvents();
    const statements = own.proxy.disarm();
    expect(statements).toBeGreaterThan(5);
    for (let index = 1; index <= statements; index += 1) {
      for (const side of ["before", "after"] as const) {
        actor = await newActor();
        const id = await withEvents(2);
        own.proxy.arm(index, side);
        await startForEvents().catch(() => {});
        own.proxy.disarm();
        await startForEvents();
        expect([index, side, await counted(id)]).toEqual([index, side, [0, 1]]);
      }
    }
  });
});
