// A step's write to a table happens once, whichever statement its process or connection dies at.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { newActor, type ProxiedDatabase, useProxiedDatabase } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { StepOfRun, TableRequest } from "#lib/nodes/across-runs/table-access.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { performTableStep } from "./perform-table-step.ts";
import { finishTableRemovals, sweepStepEffects } from "./remove-rows.ts";
import { insertRow, updateRow } from "./rows/write-rows.ts";
import { createTable, deleteTable } from "./tables.ts";
import { updateTable } from "./update-table.ts";

let own: ProxiedDatabase;
let actor: Actor;
let table: { id: string; name: string };
let step: StepOfRun;

beforeAll(async () => {
  own = await useProxiedDatabase();
  actor = await newActor();
});
afterAll(async () => {
  await own?.drop();
});

let made = 0;
beforeEach(async () => {
  made += 1;
  const plain = { unique: false, indexed: false, required: false };
  table = await createTable(actor, {
    name: `counts ${made}`,
    columns: [
      { ...plain, name: "name", type: "text", unique: true },
      { ...plain, name: "n", type: "number" },
    ],
  });
  step = await newStep();
});

/** A step of a run in progress. */
async function newStep(): Promise<StepOfRun> {
  const executionId = newId("execution");
  await queryPlanned(
    `INSERT INTO execution (id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source,
       metadata, started_at, timeout_ms, fence)
     VALUES ($1, $2, 'flow_x', 'Test', 1, 'running', 'manual', '{}', 'api', '{}', now(), 1000, 1)`,
    [executionId, actor.workspaceId],
  );
  return { workspaceId: actor.workspaceId, executionId, stepId: "t", fence: 1, depth: 0, requireFit: async () => {} };
}

const perform = (request: Omit<TableRequest, "table">, of = step) =>
  performTableStep(of, { table: table.name, ...request });
const all = async () => (await perform({ action: "find", limit: 1_000 })).rows as { name: string; n: number }[];

const writes: Readonly<Record<string, Omit<TableRequest, "table">>> = {
  insert: { action: "insert", row: [{ n: 1 }, { n: 1 }] },
  upsert: { action: "upsert", key: "name", row: { name: "new", n: 2 } },
  update: { action: "update", where: { name: "kept" }, row: { n: 5 } },
  increment: { action: "increment", where: { name: "kept" }, column: "n", by: 3 },
  delete: { action: "delete", where: { name: "kept" } },
};
const sumAfter: Readonly<Record<string, number>> = { insert: 12, upsert: 12, update: 5, increment: 13, delete: 0 };

describe.each(Object.entries(writes))("%s", (action, request) => {
  test("is done once, whichever statement loses its connection", async () => {
    await insertRow(actor, table.id, { name: "kept", n: 10 });
    own.proxy.arm(0);
    await perform(request, await newStep());
    const statements = own.proxy.disarm();
    expect(statements).toBeGreaterThan(4);
    for (let index = 1; index <= statements; index += 1) {
      for (const side of ["before", "after"] as const) {
        await own.direct.query("DELETE FROM table_row");
        await own.direct.query("DELETE FROM table_key");
        await insertRow(actor, table.id, { name: "kept", n: 10 });
        const once = await newStep();
        own.proxy.arm(index, side);
        const first = await perform(request, once).catch(() => null);
        own.proxy.disarm();
        const repeated = await perform(request, once);
        if (first !== null) expect(repeated).toEqual(first);
        const sum = (await all()).reduce((total, row) => total + row.n, 0);
        expect([index, side, sum]).toEqual([index, side, sumAfter[action]]);
      }
    }
  });
});

describe("a step", () => {
  test("writes nothing after another process has claimed its run, or once the run has ended", async () => {
    await expect(perform({ action: "insert", row: {} }, { ...step, fence: 0 })).rejects.toMatchObject({
      code: "RUN_TAKEN_OVER",
    });
    await own.direct.query("UPDATE execution SET status = 'cancelled' WHERE id = $1", [step.executionId]);
    await expect(perform({ action: "insert", row: {} })).rejects.toMatchObject({ code: "RUN_TAKEN_OVER" });
    expect(await all()).toEqual([]);
  });

  test("fails with its problem, and writes nothing", async () => {
    await insertRow(actor, table.id, { name: "kept", n: 1 });
    const cases: [Omit<TableRequest, "table">, string, string][] = [
      [{ action: "insert", row: [{ n: 2 }, { n: "x" }] }, "TABLE_REQUEST_REFUSED", "row[1].n: must be a number"],
      [
        { action: "insert", row: { name: "kept" } },
        "UNIQUE_VALUE_TAKEN",
        "row.name: there is a row with this value already",
      ],
      [{ action: "insert", row: { other: 1 } }, "TABLE_REQUEST_REFUSED", "row.other: there is no such column"],
      [{ action: "insert", row: "text" }, "TABLE_REQUEST_REFUSED", "row: must be an object"],
      [{ action: "upsert", key: "n", row: { n: 1 } }, "TABLE_REQUEST_REFUSED", "key: must be a unique column"],
      [
        { action: "upsert", key: "name", row: {} },
        "TABLE_REQUEST_REFUSED",
        "row.name: is required: rows are found by it",
      ],
      [
        { action: "increment", where: {}, column: "name" },
        "TABLE_REQUEST_REFUSED",
        "column: must be a column of numbers",
      ],
      [{ action: "find", where: { x: 1 } }, "TABLE_REQUEST_REFUSED", "where.x: there is no such column"],
      [{ action: "delete", where: "all" }, "TABLE_REQUEST_REFUSED", "where: must be an object"],
    ];
    for (const [request, code, message] of cases) {
      await expect(perform(request)).rejects.toMatchObject({ name: "NodeFailure", code, message });
    }
    expect(await all()).toMatchObject([{ name: "kept", n: 1 }]);
  });

  test("writes nothing if its answer is too large for the run", async () => {
    const failure = new NodeFailure("OUTPUT_TOO_LARGE", "The output has too many bytes");
    const requireFit = () => Promise.reject(failure);
    await expect(perform({ action: "insert", row: { n: 1 } }, { ...step, requireFit })).rejects.toBe(failure);
    expect(await all()).toEqual([]);
  });

  test("refuses to read or write too many bytes, before it reads them", async () => {
    const longName = (n: number) => `${n} ${'"'.repeat(450)}`;
    const rows = Array.from({ length: 1_000 }, (_, n) => ({ name: longName(n), n }));
    expect(await perform({ action: "insert", row: rows })).toMatchObject({ count: 1_000 });
    await own.direct.query("UPDATE table_row SET bytes = 2100 WHERE table_id = $1", [table.id]);
    const tooMany = { code: "TABLE_REQUEST_REFUSED", message: expect.stringContaining("take 2100000 bytes") };
    const update = { action: "update", where: {}, row: { n: 0 } } as const;
    await expect(perform(update, await newStep())).rejects.toMatchObject(tooMany);
    await expect(perform({ action: "upsert", key: "name", row: rows }, await newStep())).rejects.toMatchObject(tooMany);
  });

  test("finds a table by name or id, and none of another workspace", async () => {
    expect(await performTableStep(step, { action: "count", table: table.id })).toEqual({ rows: [], count: 0 });
    const { workspaceId } = await newActor();
    for (const named of [table.id, table.name, "nothing", "a\u0000b"]) {
      const foreign = performTableStep({ ...step, workspaceId }, { action: "count", table: named });
      await expect(foreign).rejects.toMatchObject({ code: "TABLE_NOT_FOUND", field: "table" });
    }
  });

  test("changes at most a thousand rows", async () => {
    const rows = Array.from({ length: 1_000 }, () => ({ n: 1 }));
    await perform({ action: "insert", row: rows });
    expect(await perform({ action: "update", where: {}, row: { n: 2 } }, await newStep())).toMatchObject({
      count: 1_000,
    });
    await perform({ action: "insert", row: { n: 1 } }, await newStep());
    await expect(perform({ action: "delete", where: {} }, await newStep())).rejects.toMatchObject({
      message: "where: matches more than 1000 rows",
    });
    const refused = perform({ action: "insert", row: [...rows, {}] }, await newStep());
    await expect(refused).rejects.toMatchObject({ message: "row: must be at most 1000 rows" });
  });
});

describe("of many concurrent ones", () => {
  const at = async <T>(count: number, work: (index: number) => Promise<T>) =>
    await Promise.all(Array.from({ length: count }, (_, index) => work(index)));

  test("no increment is lost", async () => {
    await insertRow(actor, table.id, { name: "kept", n: 0 });
    await at(40, async () => perform({ action: "increment", where: { name: "kept" }, column: "n" }, await newStep()));
    expect(await all()).toMatchObject([{ n: 40 }]);
  });

  test("one upsert inserts and the others change its row", async () => {
    const answers = await at(20, async (n) =>
      perform({ action: "upsert", key: "name", row: { name: "new", n } }, await newStep()),
    );
    expect(answers.filter(({ inserted }) => inserted === 1)).toHaveLength(1);
    expect(await all()).toHaveLength(1);
  });

  test("one insert of a unique value succeeds", async () => {
    const inserting = await at(20, async (n) => {
      const other = await newStep();
      return await perform({ action: "insert", row: { name: "new", n } }, other).catch(({ code }) => code);
    });
    expect(inserting.filter((answer) => answer !== "UNIQUE_VALUE_TAKEN")).toHaveLength(1);
    expect(await all()).toHaveLength(1);
  });

  test("each row is found and marked by one: rows changed meanwhile are no longer found", async () => {
    await insertRow(actor, table.id, { name: "job", n: 0 });
    const taken = await at(10, async (n) =>
      perform({ action: "update", where: { n: 0 }, row: { n: n + 1 } }, await newStep()),
    );
    expect(taken.filter(({ count }) => count === 1)).toHaveLength(1);
  });
});

describe("while another transaction has the row", () => {
  const holdRow = async (id: string) => {
    await own.direct.query("BEGIN");
    await own.direct.query("SELECT FROM table_row WHERE id = $1 FOR UPDATE", [id]);
  };
  const untilOneWaits = () =>
    vi.waitFor(async () => {
      const text = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
      expect((await own.direct.query(text)).rowCount).toBe(1);
    });

  test("a step waits, and leases are renewed meanwhile", async () => {
    const row = await insertRow(actor, table.id, { name: "kept", n: 1 });
    await holdRow(row.id);
    const adding = perform({ action: "increment", where: { name: "kept" }, column: "n" });
    await untilOneWaits();
    await own.direct.query("SET LOCAL lock_timeout = 100");
    await own.direct.query("UPDATE execution SET lease_until = now() WHERE id = $1", [step.executionId]);
    await own.direct.query("COMMIT");
    expect(await adding).toMatchObject({ rows: [{ n: 2 }] });
  });

  test("a request is refused after two seconds, and may be sent again", async () => {
    const row = await insertRow(actor, table.id, { name: "kept", n: 1 });
    await holdRow(row.id);
    const refusal = { code: "SERVICE_UNAVAILABLE", retryAfterSeconds: 1 };
    await expect(updateRow(actor, table.id, row.id, { n: 2 }, null)).rejects.toMatchObject(refusal);
    await own.direct.query("COMMIT");
    expect(await updateRow(actor, table.id, row.id, { n: 3 }, null)).toMatchObject({ n: 3 });
  });
});

test("a deleted table's rows, a deleted column's entries, and effect records of ended runs are removed", async () => {
  const count = async (from: string) => (await own.direct.query(`SELECT count(*)::int AS n FROM ${from}`)).rows[0].n;
  await perform({ action: "insert", row: [{ name: "a" }, { name: "b" }] });
  const ofTable = (name: string) => `${name} WHERE table_id = '${table.id}'`;
  await updateTable(actor, table.id, {
    columns: [{ id: "c2", name: "n", type: "number", unique: false, indexed: false, required: false }],
  });
  await finishTableRemovals();
  expect(await count(ofTable("table_key"))).toBe(0);
  expect(await all()).toMatchObject([{ n: null }, { n: null }]);
  await deleteTable(actor, table.id);
  // Another process is deleting one of the rows, and may not finish.
  await own.direct.query("BEGIN");
  await own.direct.query("SELECT FROM table_row WHERE table_id = $1 LIMIT 1 FOR UPDATE", [table.id]);
  expect(await finishTableRemovals()).toBe(0);
  await own.direct.query("ROLLBACK");
  expect(await finishTableRemovals(AbortSignal.abort())).toBe(0);
  expect(await finishTableRemovals()).toBe(1);
  for (const name of ["table_row", "table_key", "table_size", "table_removal"])
    expect(await count(ofTable(name))).toBe(0);
  const ofRun = `step_effect WHERE execution_id = '${step.executionId}'`;
  await own.direct.query("UPDATE step_effect SET created_at = now() - interval '2 hours'");
  await sweepStepEffects();
  expect(await count(ofRun)).toBe(1);
  await own.direct.query("UPDATE execution SET status = 'completed' WHERE id = $1", [step.executionId]);
  await sweepStepEffects();
  expect(await count(ofRun)).toBe(0);
});
