// Two servers on one database: one finishes what the other leaves, and a process that lost a run cannot write to it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { countingServer } from "#e2e/support/counting-server.ts";
import { EventReader } from "#e2e/support/event-stream.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { edge, node, transform } from "#e2e/support/flows.ts";
import { callingFlow, callsByKey } from "#e2e/support/held-requests.ts";
import { openWait } from "#e2e/support/open-wait.ts";
import { type RunningServer, startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";
import { createTestDatabase } from "#e2e/support/test-database.ts";

const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "b".repeat(32), BOOTSTRAP_API_KEY: "c".repeat(40) };
/** A lease, a poll for orphaned runs, and some slack for a slow machine. */
const takeOverMsMax = 10_000 + 500 + 6_000;

let stoppable: RunningServer;
let other: RunningServer;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  const env = { ...secrets, DATABASE_URL: url };
  [stoppable, other] = await Promise.all([startServer({ env }), startServer({ env })]);
});
afterAll(async () => {
  await Promise.allSettled([stoppable?.kill(), other?.kill()]);
});

test("a server stalled for longer than its lease finds its run done by another, and changes nothing", async () => {
  // The first to call is held; whoever calls next is answered at once.
  const sink = await countingServer((index) => (index === 0 ? "hold" : { body: { by: "the other" } }));
  const client = new ServerClient(stoppable);
  const flowId = await client.createFlow(...callingFlow(sink.url, ["call", "next"]));
  const answer = client.call<{ executionId: string; status: string }>("POST", `/flows/${flowId}/execute`, {
    async: false,
    data: { number: 1 },
  });
  await sink.until(1);
  process.kill(-stoppable.pid, "SIGSTOP");
  const id = String(sink.received[0]?.headers["idempotency-key"]).split(".")[0] ?? "";
  const halted = performance.now();
  const done = await new ServerClient(other).ended(id, takeOverMsMax);
  expect(done).toMatchObject({ status: "completed", output: { body: { by: "the other" } } });
  expect(performance.now() - halted).toBeLessThan(takeOverMsMax);

  sink.release();
  process.kill(-stoppable.pid, "SIGCONT");
  // It answers its caller after trying to write and finding that the run is no longer its own.
  expect(await answer).toMatchObject({ status: 202, data: { executionId: id } });
  expect(await client.read(id)).toEqual(done);
  expect(Object.fromEntries(callsByKey(sink.received))).toEqual({ [`${id}.call`]: 2, [`${id}.next`]: 1 });
});

test("a run is followed at any server: another's changes are seen", async () => {
  const sink = await countingServer(() => "hold");
  const client = new ServerClient(stoppable);
  const flowId = await client.createFlow(...callingFlow(sink.url, ["call"]));
  const answer = client.call<{ executionId: string }>("POST", `/flows/${flowId}/execute`, {
    async: false,
    data: { number: 1 },
  });
  await sink.until(1);
  const id = String(sink.received[0]?.headers["idempotency-key"]).split(".")[0] ?? "";
  const { url, apiKey } = other;
  const reader = await EventReader.open(`/executions/${id}/stream`, { base: `${url}/api/v1`, key: apiKey });
  await reader.until("the run is told", ({ data }) => data.status === "running");
  sink.release();
  await answer;
  await reader.ended;
  expect(reader.events.map(({ event, data }) => `${event} ${data.status ?? data.id}`)).toEqual([
    "execution running",
    "log started",
    "node completed",
    "log ended",
    "execution completed",
  ]);
});

test("a waiting run is resumed at any server, once", async () => {
  const client = new ServerClient(stoppable);
  const nodes = [transform("url", "$resume.ask"), node("ask", "wait"), transform("told", "$node.output.body.by")];
  const id = await client.start(await client.createFlow(nodes, [edge("url", "ask"), edge("ask", "told")]));
  await openWait("ask", () => client.read(id));
  const resume = (server: RunningServer) =>
    new ServerClient(server).call("POST", `/executions/${id}/nodes/ask/resume`, { by: server.url });
  const answers = await Promise.all([resume(other), resume(stoppable)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const winner = answers[0]?.status === 200 ? other : stoppable;
  expect(await new ServerClient(other).ended(id)).toMatchObject({ status: "completed", output: winner.url });
});

test("a killed server's runs are finished by the other within a lease", async () => {
  let isKilled = false;
  const sink = await countingServer((_, { url }) => (!isKilled && url.startsWith("/second/") ? "hold" : {}));
  const client = new ServerClient(stoppable);
  const flowId = await client.createFlow(...callingFlow(sink.url, ["first", "second"]));
  for (let number = 0; number < 5; number += 1) {
    client.call("POST", `/flows/${flowId}/execute`, { async: false, data: { number } }).catch(() => {});
  }
  await sink.until(10);
  isKilled = true;
  const ids = [...new Set(sink.received.map(({ headers }) => String(headers["idempotency-key"]).split(".")[0] ?? ""))];
  const pause = [node("pause", "delay", { ms: 1_000 }), transform("on", "'on'")];
  const delayed = await client.start(await client.createFlow(pause, [edge("pause", "on")]));
  await eventually("it waits", async () =>
    (await client.read(delayed)).nodes[0]?.status === "running" ? true : undefined,
  );
  const killed = performance.now();
  await stoppable.kill();
  expect(await new ServerClient(other).ended(delayed, takeOverMsMax)).toMatchObject({ output: "on" });
  for (const execution of await new ServerClient(other).allEnded(ids, takeOverMsMax)) {
    expect(execution).toMatchObject({ status: "completed", nodesExecuted: 2 });
  }
  expect(performance.now() - killed).toBeLessThan(takeOverMsMax);
  const calls = callsByKey(sink.received);
  for (const id of ids) expect([calls.get(`${id}.first`), calls.get(`${id}.second`)]).toEqual([1, 2]);
});
