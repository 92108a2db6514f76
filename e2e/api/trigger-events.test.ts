// Two servers on one database, of which one is killed: everything that happened starts one run, and what a run does to a
// table it does once.
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { node, transform } from "#e2e/support/flows.ts";
import { type RunningServer, startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";
import { createTestDatabase } from "#e2e/support/test-database.ts";

const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "b".repeat(32), BOOTSTRAP_API_KEY: "c".repeat(40) };

let killed: RunningServer;
let survivor: RunningServer;
let client: ServerClient;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  const env = { ...secrets, DATABASE_URL: url };
  [killed, survivor] = await Promise.all([startServer({ env }), startServer({ env })]);
  client = new ServerClient(survivor);
});
afterAll(async () => {
  await Promise.allSettled([killed?.kill(), survivor?.kill()]);
});

const made = async (path: string, body: object) => {
  const answer = await client.call<{ id: string }>("POST", path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.data.id;
};
const flow = (type: string, config: object, nodes: object[], edges: object[] = []) =>
  made("/flows", { name: type, status: "active", trigger: { type, config }, nodes, edges });
const rowsOf = async (table: string) =>
  (await client.call<{ rows: Record<string, unknown>[] }>("GET", `/tables/${table}/rows?limit=1000`)).data.rows;
const countOf = async (flowId: string, status = "") => {
  const answer = await client.call("GET", `/executions?flowId=${flowId}&limit=1${status}`);
  return answer.pagination.total;
};

const changes = 60;

// Proves triggers.table, triggers.once, tables.node-once
test("every inserted row starts one run, and every run counts once, whenever a server is killed", async () => {
  const source = await made("/tables", { name: "source", columns: [{ name: "n", type: "number", unique: true }] });
  const seen = await made("/tables", {
    name: "seen",
    columns: [
      { name: "n", type: "number", unique: true },
      { name: "times", type: "number" },
    ],
  });
  const n = "{{ $trigger.body.row.n }}";
  const nodes = [
    node("put", "table", { action: "upsert", table: "seen", key: "n", row: { n } }),
    node("add", "table", { action: "increment", table: "seen", where: { n }, column: "times" }),
  ];
  const counting = await flow("table", { table: "source", on: ["inserted"] }, nodes, [
    { source: "put", target: "add" },
  ]);
  const insert = (value: number) => client.call("POST", `/tables/${source}/rows`, { n: value });
  for (let value = 0; value < changes / 2; value += 1) await insert(value);
  await eventually("some runs have ended", async () => (await countOf(counting, "&status=completed")) > 3 || undefined);
  await killed.kill();
  for (let value = changes / 2; value < changes; value += 1) await insert(value);
  const all = async () => (await countOf(counting, "&status=completed")) === changes || undefined;
  await eventually("every row's run has ended", all, 60_000);
  expect(await countOf(counting)).toBe(changes);
  const rows = await rowsOf(seen);
  expect(rows.map((row) => [row.n, row.times]).toSorted((a, b) => Number(a[0]) - Number(b[0]))).toEqual(
    Array.from({ length: changes }, (_, value) => [value, 1]),
  );
});

// Proves triggers.error
test("a failed run starts the flow that listens for failures, once, and that flow's own failure none", async () => {
  const listening = await flow("error", {}, [transform("t", "$trigger.body.nothing.here")]);
  const failing = await flow("manual", {}, [transform("t", "$trigger.body.order.id")]);
  const ids = await Promise.all(Array.from({ length: 5 }, () => client.start(failing)));
  await client.allEnded(ids);
  const haveAllFailed = async () => (await countOf(listening, "&status=failed")) === ids.length || undefined;
  await eventually("each is told of", haveAllFailed);
  const list = await client.call<{ trigger: { type: string; data: { executionId: string } } }[]>(
    "GET",
    `/executions?flowId=${listening}&limit=100`,
  );
  expect(list.data.map(({ trigger }) => trigger.data.executionId).toSorted()).toEqual(ids.toSorted());
  // Another failure comes after anything that the flow's own could have started.
  await client.ended(await client.start(failing));
  await eventually("it is told of, too", async () => (await countOf(listening)) === ids.length + 1 || undefined);
});
