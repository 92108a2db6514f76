// Two servers on one database poll for items, and one is killed: each item starts one run.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { transform } from "#e2e/support/flows.ts";
import { type RunningServer, startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";
import { createTestDatabase } from "#e2e/support/test-database.ts";

const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "b".repeat(32), BOOTSTRAP_API_KEY: "c".repeat(40) };
const flowsMax = 4;

let killed: RunningServer;
let survivor: RunningServer;
let client: ServerClient;
let source: Server;
let address: string;
/** What the API has: so many orders. */
let orders = 0;
let isClosed = false;

beforeAll(async () => {
  source = createServer((request, response) => {
    if (isClosed) return response.writeHead(503, { "content-type": "text/plain" }).end("closed");
    const numbers = Array.from({ length: orders }, (_, id) => id);
    if (request.url === "/feed") {
      const items = numbers.map((id) => `<item><guid>${id}</guid></item>`).reverse();
      return response
        .writeHead(200, { "content-type": "text/xml" })
        .end(`<rss><channel>${items.join("")}</channel></rss>`);
    }
    return response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ orders: numbers.map((id) => ({ id })) }));
  });
  await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
  const { url } = await createTestDatabase();
  const env = { ...secrets, DATABASE_URL: url, OUTBOUND_ALLOW: "127.0.0.1" };
  [killed, survivor] = await Promise.all([startServer({ env }), startServer({ env })]);
  client = new ServerClient(survivor);
});
afterAll(async () => {
  await Promise.allSettled([killed?.kill(), survivor?.kill()]);
  source?.close();
});

interface PollState {
  readonly polledAt: string | null;
  readonly nextAt: string;
  readonly items: number | null;
  readonly failures: number;
  readonly error: string | null;
}
async function flow(type: string, config: object): Promise<string> {
  const trigger = { type, config: { everyMs: 30_000, ...config } };
  const body = { name: type, status: "active", trigger, nodes: [transform("t", "$trigger.body.id")], edges: [] };
  const made = await client.call<{ id: string }>("POST", "/flows", body);
  expect(made.status, made.text).toBe(201);
  return made.data.id;
}
const polled = () => ({ request: { url: `${address}/orders` }, items: "$response.body.orders", key: "$item.id" });
const stateOf = async (id: string) => (await client.call<{ poll: PollState }>("GET", `/flows/${id}`)).data.poll;
async function pollNow(id: string): Promise<PollState> {
  const before = (await stateOf(id)).polledAt;
  expect((await client.call("POST", `/flows/${id}/poll`)).status).toBe(202);
  return await eventually("it looks", async () => {
    const state = await stateOf(id);
    return state.polledAt !== before ? state : undefined;
  });
}
/** The ids that runs of a flow were started with, in order. */
async function started(id: string): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 1; ; page += 1) {
    const path = `/executions?flowId=${id}&limit=100&page=${page}`;
    const { data } = await client.call<{ trigger: { data: { id: number | string } } }[]>("GET", path);
    ids.push(...data.map(({ trigger }) => Number(trigger.data.id)));
    if (data.length < 100) return ids.toSorted((a, b) => a - b);
  }
}
const numbersTo = (count: number) => Array.from({ length: count }, (_, id) => id);

// Proves triggers.poll
test("each item starts one run, with two servers and after one is killed during a poll", async () => {
  const flows = await Promise.all(
    Array.from({ length: flowsMax }, (_, n) =>
      flow(n === 0 ? "rss" : "poll", n === 0 ? { url: `${address}/feed` } : polled()),
    ),
  );
  for (const id of flows)
    await eventually("the first look", async () => (await stateOf(id)).polledAt ?? undefined, 60_000);
  for (const id of flows) expect(await started(id)).toEqual([]);
  orders = 400;
  await Promise.all(flows.map((id) => client.call("POST", `/flows/${id}/poll`)));
  await eventually("some runs are there", async () => (await started(flows[1] ?? "")).length > 50 || undefined, 60_000);
  await killed.kill();
  for (const id of flows) {
    const all = async () => (await started(id)).length >= orders || undefined;
    await eventually("every item's run is there", all, 120_000);
  }
  orders = 420;
  for (const id of flows) await pollNow(id);
  for (const id of flows) expect(await started(id)).toEqual(numbersTo(orders));
}, 300_000);

test("a failed poll is shown on the flow, and the next successful one starts what is new", async () => {
  const id = await flow("poll", {
    ...polled(),
    fromNow: false,
    mode: "changed",
    items: "$response.body.orders.slice(0, 3)",
  });
  await eventually("the first look", async () => (await stateOf(id)).polledAt ?? undefined, 60_000);
  isClosed = true;
  expect(await pollNow(id)).toMatchObject({ failures: 1, error: expect.stringContaining("answered 503: closed") });
  isClosed = false;
  expect(await pollNow(id)).toMatchObject({ failures: 0, error: null, items: 3 });
  await eventually("its runs", async () => (await started(id)).length === 3 || undefined);
  const manual = await client.call<{ id: string }>("POST", "/flows", {
    name: "M",
    trigger: { type: "manual" },
    nodes: [],
    edges: [],
  });
  expect((await client.call("POST", `/flows/${manual.data.id}/poll`)).status).toBe(409);
});
