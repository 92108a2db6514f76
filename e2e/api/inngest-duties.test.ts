// With Inngest, it starts what a server does beside runs: deliveries, schedules, upkeep.
import { afterAll, beforeAll, expect, test } from "vitest";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { transform } from "#e2e/support/flows.ts";
import { InngestServer } from "#e2e/support/inngest/inngest-server.ts";
import { type RunningServer, startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";
import { eventOf } from "#e2e/support/webhooks.ts";

interface Listed {
  readonly id: string;
  readonly status: string;
}

const inngest = new InngestServer();
let server: RunningServer;
let client: ServerClient;

beforeAll(async () => {
  await inngest.start();
  server = await startServer({ env: { INNGEST_DEV: inngest.url } });
  client = new ServerClient(server);
});
afterAll(async () => {
  await server.stop();
  await inngest.close();
});

/** Resolves once the function has ended, started as by Inngest's cron. */
async function tick(id: string): Promise<void> {
  const run = inngest.tick(id);
  await eventually(`${id} ends`, () => (run.status === "running" ? undefined : true));
  expect([run.status, run.errors]).toEqual(["completed", []]);
}

const runsOf = async (flowId: string) => (await client.call<Listed[]>("GET", `/executions?flowId=${flowId}`)).data;

test("a run's events are sent when it ends, without waiting for the minute", async () => {
  const receiver = await countingServer();
  const events = ["execution.started", "execution.completed"];
  const { data } = await client.call<{ id: string }>("POST", "/webhooks", { url: receiver.url, events });
  const id = await client.start(await client.createFlow([transform("t", "1")]));
  await receiver.until(2);
  expect(receiver.received.map((request) => [eventOf(request).event, eventOf(request).data.executionId])).toEqual(
    events.map((event) => [event, id]),
  );
  await client.call("DELETE", `/webhooks/${data.id}`);
});

test("an event that its receiver refused is retried when due, before the next minute", async () => {
  const receiver = await countingServer((index) => ({ status: index === 0 ? 500 : 200 }));
  const subscription = { url: receiver.url, events: ["execution.completed"] };
  const { data } = await client.call<{ id: string }>("POST", "/webhooks", subscription);
  await client.start(await client.createFlow([transform("t", "1")]));
  await receiver.until(2);
  expect(eventOf(receiver.received[1] ?? expect.fail())).toEqual(eventOf(receiver.received[0] ?? expect.fail()));
  await client.call("DELETE", `/webhooks/${data.id}`);
});

test("within its minute a sub-minute schedule runs on time, each time once, and only then", async () => {
  const flowId = await client.createFlow([transform("t", "$trigger.body.scheduledAt")]);
  const schedule = { type: "schedule", config: { cron: "* * * * * *", misfire: "skip" } };
  const active = await client.call("PATCH", `/flows/${flowId}`, { trigger: schedule, status: "active" });
  expect(active.status).toBe(200);
  const due = Math.ceil(Date.now() / 1_000) * 1_000 + 1_000;
  await eventually("a time has passed", () => (Date.now() > due ? true : undefined));
  expect(await runsOf(flowId)).toEqual([]);
  const minutes = [inngest.tick("fire-schedules"), inngest.tick("fire-schedules")];
  await eventually(
    "it runs again and again",
    async () => ((await runsOf(flowId)).length >= 3 ? true : undefined),
    50_000,
  );
  await client.call("PATCH", `/flows/${flowId}`, { status: "inactive" });
  for (const minute of minutes) {
    await eventually("its minute is over", () => (minute.status === "running" ? undefined : true), 50_000);
    expect([minute.status, minute.errors]).toEqual(["completed", []]);
  }
  const runs = await eventually("all have ended", async () => {
    const found = await runsOf(flowId);
    return found.every(({ status }) => status === "completed") ? found : undefined;
  });
  const times = await Promise.all(runs.map(async ({ id }) => (await client.read(id)).output));
  expect(new Set(times).size).toBe(times.length);
});

test("an API is polled, and each new item starts one run", async () => {
  let ids = [1];
  const source = await countingServer(() => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(ids.map((id) => ({ id }))),
  }));
  const flowId = await client.createFlow([transform("t", "$trigger.body.id")]);
  const config = { everyMs: 30_000, request: { url: source.url }, items: "$response.body", key: "$item.id" };
  const active = await client.call("PATCH", `/flows/${flowId}`, {
    trigger: { type: "poll", config },
    status: "active",
  });
  expect(active.status, active.text).toBe(200);
  const poll = inngest.tick("poll-sources");
  await source.until(1);
  await eventually("the first look is kept", async () => {
    const { data } = await client.call<{ poll: { polledAt: string | null } }>("GET", `/flows/${flowId}`);
    return data.poll.polledAt ?? undefined;
  });
  ids = [1, 2, 3];
  expect((await client.call("POST", `/flows/${flowId}/poll`)).status).toBe(202);
  const again = inngest.tick("poll-sources");
  const runs = await eventually("both new items have run", async () => {
    const found = await runsOf(flowId);
    return found.length === 2 && found.every(({ status }) => status === "completed") ? found : undefined;
  });
  const outputs = await Promise.all(runs.map(async ({ id }) => (await client.read(id)).output));
  expect(outputs.toSorted()).toEqual([2, 3]);
  await client.call("PATCH", `/flows/${flowId}`, { status: "inactive" });
  for (const tick of [poll, again]) {
    await eventually("its minute is over", () => (tick.status === "running" ? undefined : true), 60_000);
    expect([tick.status, tick.errors]).toEqual(["completed", []]);
  }
});

test("upkeep runs to its end", async () => {
  await tick("perform-upkeep");
});
