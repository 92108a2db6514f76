// Failures around Inngest: duplicate calls, events that cannot be sent, an executor or a server that dies.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { baseUrl } from "#e2e/support/address.ts";
import { send } from "#e2e/support/api-client.ts";
import { Driver } from "#e2e/support/conformance/driver.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { edge, node, outputOf, statuses, transform } from "#e2e/support/flows.ts";
import { callsByKey } from "#e2e/support/held-requests.ts";
import { InngestServer } from "#e2e/support/inngest/inngest-server.ts";
import { dataDirectory } from "#e2e/support/made-database.ts";
import { startModelServer } from "#e2e/support/models/model-server.ts";
import { databaseStopped, freePort, type RunningServer, startServer } from "#e2e/support/server.ts";
import { removeFilesOf } from "#lib/platform/embedded-postgres/cluster.ts";

const inngest = new InngestServer({ retryMs: 2_000 });
const dataDir = dataDirectory();
let server: RunningServer;
let env: Record<string, string>;

beforeAll(async () => {
  await inngest.start();
  env = { INNGEST_DEV: inngest.url, PORT: `${await freePort()}`, BOOTSTRAP_API_KEY: `test_${"k".repeat(40)}` };
  server = await startServer({ dataDir, env });
});
afterAll(async () => {
  await server.stop();
  await inngest.close();
  await databaseStopped(dataDir);
  removeFilesOf(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

const driver = () => new Driver(server, "background");
const call = (id: string, url: string) => node(id, "http-request", { url: `${url}/${id}`, method: "POST" });

/** Three calls: one, then two in parallel; and their join. */
const calls = (url: string) => ({
  nodes: [call("a", url), call("b", url), call("c", url), transform("join", "$nodes['b'].output.status")],
  edges: [edge("a", "b"), edge("a", "c"), edge("b", "join"), edge("c", "join")],
});

test("without Inngest's variables there is nothing to call", async () => {
  const answer = await send("POST", "/inngest", "{}", { base: `${baseUrl()}/api` });
  expect(answer).toMatchObject({ status: 404, error: { code: "NOT_FOUND" } });
});

test("a run is one event with its id, steps named after the nodes, and results that reveal little", async () => {
  const sink = await countingServer(() => ({ body: { large: "x".repeat(100_000) } }));
  const run = await driver().run(calls(sink.url));
  expect(run.status).toBe("completed");
  const [requested] = inngest.events.filter(({ data }) => data.executionId === run.id);
  expect(requested).toMatchObject({ name: "millrace/execution.requested", id: run.id });
  // The run ends first: its steps are reported afterwards.
  const functionRun = await eventually("its function has ended", () =>
    inngest.runsOf(run.id).find(({ status }) => status !== "running"),
  );
  expect(functionRun.status).toBe("completed");
  expect([...functionRun.ended].sort()).toEqual(["a", "b", "c", "join"]);
  for (const stepResult of functionRun.kept.values()) expect(stepResult.length).toBeLessThan(100);
});

test("calls are limited by workspace and by flow, and end with the run's cancellation", () => {
  expect(inngest.functions.get("millrace-run-execution")).toMatchObject({
    concurrency: [
      { key: "event.data.workspaceId", limit: 50 },
      { key: "event.data.flowId", limit: 25 },
    ],
    cancel: [{ event: "millrace/execution.cancelled" }],
  });
});

test("two concurrent calls of a function run each node once", async () => {
  inngest.callsTwice = true;
  try {
    const sink = await countingServer();
    const run = await driver().run(calls(sink.url));
    expect(run).toMatchObject({ status: "completed", nodesExecuted: 4 });
    expect([...callsByKey(sink.received).values()]).toEqual([1, 1, 1]);
  } finally {
    inngest.callsTwice = false;
  }
});

test("branches that join continue if the answer that planned them arrives after they have ended", async () => {
  inngest.answersLate = true;
  try {
    const sink = await countingServer();
    const run = await driver().run(calls(sink.url));
    expect(run).toMatchObject({ status: "completed", nodesExecuted: 4 });
    expect([...callsByKey(sink.received).values()]).toEqual([1, 1, 1]);
  } finally {
    inngest.answersLate = false;
  }
});

test("a run whose event cannot be sent is sent later, and done once", async () => {
  const sink = await countingServer();
  const { id } = await driver().createFlow(calls(sink.url));
  inngest.refusesEvents = true;
  const execution = await driver().start(id);
  expect(await driver().client.read(execution)).toMatchObject({ status: "pending" });
  inngest.refusesEvents = false;
  inngest.tick("recover-executions");
  expect(await driver().client.ended(execution)).toMatchObject({ status: "completed" });
  expect(inngest.runsOf(execution)).toHaveLength(1);
  expect(sink.received).toHaveLength(3);
});

test("a caller is answered even if Inngest does not respond", async () => {
  const { id } = await driver().createFlow({ nodes: [transform("t", "1")] });
  const release = inngest.holdEvents();
  const execution = await driver().start(id);
  expect(await driver().client.read(execution)).toMatchObject({ status: "pending" });
  release();
  expect(await driver().client.ended(execution)).toMatchObject({ status: "completed" });
});

test("an executor that has forgotten the app, and refuses its events, gets it registered again", async () => {
  const { id } = await driver().createFlow({ nodes: [transform("t", "1")] });
  inngest.functions.clear();
  inngest.refusesEvents = true;
  const execution = await driver().start(id);
  await expect.poll(() => inngest.functions.size, { timeout: 60_000 }).toBeGreaterThan(4);
  inngest.refusesEvents = false;
  expect(await driver().client.ended(execution, 60_000)).toMatchObject({ status: "completed" });
});

test("an executor that dies during a run continues when it is back", async () => {
  const sink = await countingServer((_, { url }) => (url === "/a" ? "hold" : {}));
  const { id } = await driver().createFlow(calls(sink.url));
  const execution = await driver().start(id);
  await sink.until(1);
  await inngest.stop();
  sink.release();
  await expect.poll(async () => statuses(await driver().client.read(execution))).toMatchObject({ a: "completed" });
  await inngest.start();
  expect(await driver().client.ended(execution)).toMatchObject({ status: "completed" });
  expect([...callsByKey(sink.received).values()]).toEqual([1, 1, 1]);
});

test("cancelling a waiting run ends its function too", async () => {
  const nodes = [node("delay", "delay", { ms: 3_600_000 })];
  const { id } = await driver().createFlow({ nodes });
  const execution = await driver().start(id);
  const namesOf = () => [...(inngest.runsOf(execution)[0]?.names.values() ?? [])];
  await expect.poll(namesOf).toContain("delay (waiting)");
  await driver().client.call("POST", `/executions/${execution}/cancel`, {});
  await expect.poll(() => inngest.runsOf(execution)[0]?.status).toBe("cancelled");
});

test("a synchronous run is taken over by Inngest when it reaches a long wait", async () => {
  const nodes = [transform("first", "1"), node("delay", "delay", { ms: 3_600_000 })];
  const { id } = await driver().createFlow({ nodes, edges: [edge("first", "delay")] });
  const body = { async: false };
  const answer = await driver().client.call<{ executionId: string }>("POST", `/flows/${id}/execute`, body);
  expect(answer.status).toBe(202);
  const execution = answer.data.executionId;
  await expect.poll(() => inngest.runsOf(execution)[0]?.status).toBe("running");
  await driver().client.call("POST", `/executions/${execution}/cancel`, {});
});

test("a server killed during a node is replaced by another, which repeats only what was in flight", async () => {
  let isKilled = false;
  const sink = await countingServer((_, { url }) => (!isKilled && url !== "/a" ? "hold" : {}));
  const { id } = await driver().createFlow(calls(sink.url));
  const execution = await driver().start(id);
  await sink.until(3);
  await server.kill();
  isKilled = true;
  server = await startServer({ dataDir, env });
  expect(await driver().client.ended(execution, 60_000)).toMatchObject({ status: "completed", nodesExecuted: 4 });
  expect(Object.fromEntries(callsByKey(sink.received))).toEqual({
    [`${execution}.a`]: 1,
    [`${execution}.b`]: 2,
    [`${execution}.c`]: 2,
  });
});

test("an agent asks and calls once each, but for the question during which the server is killed", async () => {
  const model = await startModelServer((index) => {
    if (index === 0) return { text: "I look.", calls: [{ name: "find_order", input: { number: "7" } }] };
    return index === 1 ? "hold" : { text: "It is paid." };
  });
  const credential = { name: "model", type: "openai", data: model.credential("openai") };
  expect((await driver().client.call("POST", "/credentials", credential)).status).toBe(201);
  const orders = await driver().createFlow({ nodes: [transform("paid", "({ paid: true })")] });
  const input = { type: "object", properties: { number: { type: "string" } }, required: ["number"] };
  const tools = [{ name: "find_order", description: "Finds an order", flowId: orders.id, input }];
  const agent = node("agent", "agent", { credential: "model", model: "m", prompt: "Is order 7 paid?", tools });
  const { id } = await driver().createFlow({ nodes: [agent] });
  const execution = await driver().start(id);
  await model.until(2);
  await server.kill();
  server = await startServer({ dataDir, env });
  const ended = await driver().client.ended(execution, 60_000);
  expect(ended.error).toBeUndefined();
  expect(ended.output).toMatchObject({ text: "It is paid." });
  const kinds = (outputOf(ended, "agent") as { steps: { kind: string }[] }).steps.map(({ kind }) => kind);
  expect(kinds).toEqual(["model", "tool", "model"]);
  expect(model.requests).toHaveLength(3);
  expect(model.requests[2]?.text).toBe(model.requests[1]?.text);
  const runs = await driver().client.call<unknown[]>("GET", `/executions?flowId=${orders.id}`);
  expect(runs.data).toHaveLength(1);
});
