import { describe, expect, it } from "vitest";
import { call, del, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { createFlow, ended, execute, node, readExecution, start, transform } from "#e2e/support/flows.ts";
import { startServer } from "#e2e/support/server.ts";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";
import { deliveriesOf, eventOf, eventsOf, everyEvent, subscribe, untilEvents } from "#e2e/support/webhooks.ts";

const quick = () => createFlow({ nodes: [transform("a", "$trigger.body")] });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a run tells", () => {
  it("its start and its end, in this order", async () => {
    const receiver = await countingServer();
    await subscribe(receiver.url);
    const { executionId } = await execute((await quick()).id, { a: 1 });
    const events = await untilEvents(receiver, executionId, 2);
    expect(events.map(({ event }) => event)).toEqual(["execution.started", "execution.completed"]);
    expect(events[0]?.data).toMatchObject({ status: "running", duration: null, output: null });
    expect(events[1]?.data).toMatchObject({ status: "completed", output: { a: 1 } });
  });

  it.each([
    ["failed", { nodes: [transform("a", "missing.x")] }],
    ["timeout", { nodes: [node("a", "http-request", { url: "" })], settings: { timeoutMs: 200 } }],
  ])("its failure: %s", async (status, fields) => {
    const receiver = await countingServer();
    const sink = await countingServer(() => "hold");
    await subscribe(receiver.url, ["flow.execution.failed", "execution.completed"]);
    const nodes = fields.nodes.map((one) =>
      one.type === "http-request" ? { ...one, config: { url: sink.url } } : one,
    );
    const { id } = await createFlow({ ...fields, nodes });
    await start(id);
    const [event] = await untilEvents(receiver, id, 1);
    expect(event).toMatchObject({ event: "flow.execution.failed", data: { status, output: null } });
  });

  it("its cancellation, by whatever way", async () => {
    const receiver = await countingServer();
    const sink = await countingServer(() => "hold");
    await subscribe(receiver.url, ["execution.cancelled"]);
    const { id } = await createFlow({ nodes: [node("a", "http-request", { url: sink.url })] });
    const first = await start(id);
    const second = await start(id);
    await sink.until(2);
    await post(`/executions/${first}/cancel`);
    await del(`/executions/${second}`);
    const events = await untilEvents(receiver, id, 2);
    expect(events.map(({ data }) => data.executionId).sort()).toEqual([first, second].sort());
  });

  it("nothing to who did not ask for it", async () => {
    const receiver = await countingServer();
    const { id } = await subscribe(receiver.url, ["execution.failed"]);
    const { executionId } = await execute((await quick()).id);
    await pause(700);
    expect(eventsOf(receiver, executionId)).toEqual([]);
    expect(await deliveriesOf(id, executionId)).toEqual([]);
  });

  it("one event to a subscription that knows it by both names, and each subscription by its own", async () => {
    const receiver = await countingServer();
    const other = await countingServer();
    await subscribe(receiver.url, ["flow.execution.completed", "execution.completed"]);
    await subscribe(other.url, ["execution.completed"]);
    const { id } = await quick();
    await execute(id);
    const [event] = await untilEvents(receiver, id, 1);
    const [plain] = await untilEvents(other, id, 1);
    expect([event?.event, plain?.event]).toEqual(["flow.execution.completed", "execution.completed"]);
    await pause(500);
    expect(eventsOf(receiver, id)).toHaveLength(1);
  });
});

describe("events come in order and once", () => {
  it("under 50 runs at once: a start and an end for each", async () => {
    const receiver = await countingServer();
    await subscribe(receiver.url);
    const { id } = await quick();
    const runs = await Promise.all(Array.from({ length: 50 }, (_, n) => (n % 2 ? execute(id) : start(id))));
    const events = await untilEvents(receiver, id, 100);
    for (const run of runs) {
      const executionId = typeof run === "string" ? run : run.executionId;
      const own = events.filter(({ data }) => data.executionId === executionId).map(({ event }) => event);
      expect(own).toEqual(["execution.started", "execution.completed"]);
    }
    const ids = receiver.received
      .filter((one) => eventOf(one).data.flowId === id)
      .map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(100);
  });

  it("when a cancellation races the end: one end, and the record's", async () => {
    const receiver = await countingServer();
    await subscribe(receiver.url);
    const sink = await countingServer();
    const { id } = await createFlow({ nodes: [node("a", "http-request", { url: sink.url })] });
    const runs = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const executionId = await start(id);
        await pause(n % 8);
        await post(`/executions/${executionId}/cancel`);
        return await ended(executionId);
      }),
    );
    await untilEvents(receiver, id, 80);
    await pause(500);
    for (const run of runs) {
      const own = eventsOf(receiver, run.id).map(({ event }) => event);
      expect(own).toEqual(["execution.started", `execution.${run.status}`]);
    }
  });

  it("when the first is refused: the second waits for it", async () => {
    const receiver = await countingServer((index) => ({ status: index === 0 ? 500 : 200 }));
    await subscribe(receiver.url);
    const flow = await quick();
    const { executionId } = await execute(flow.id);
    const events = await untilEvents(receiver, executionId, 3);
    const started = "execution.started";
    expect(events.map(({ event }) => event)).toEqual([started, started, "execution.completed"]);
  });
});

it("a killed server loses no event", async () => {
  const dataDir = temporaryDirectory();
  const receiver = await countingServer((index) => (index < 2 ? "hold" : {}));
  const first = await startServer({ dataDir });
  const options = { key: first.apiKey, base: `${first.url}/api/v1` };
  const subscribed = await call("POST", "/webhooks", { url: receiver.url, events: everyEvent }, options);
  expect(subscribed.status).toBe(201);
  const fields = { name: "Test", trigger: { type: "manual" }, nodes: [transform("a", "1")] };
  const flow = await call<{ id: string }>("POST", "/flows", fields, options);
  const runs = await Promise.all(
    Array.from({ length: 10 }, () =>
      call<{ executionId: string }>("POST", `/flows/${flow.data.id}/execute`, { async: false }, options),
    ),
  );
  await receiver.until(2);
  await first.kill();
  const second = await startServer({ dataDir, env: { BOOTSTRAP_API_KEY: first.apiKey } });
  try {
    const seen = () => new Set(receiver.received.map(eventOf).map(({ event, data }) => `${data.executionId} ${event}`));
    await eventually("all events arrive", () => (seen().size === 20 ? true : undefined), 50_000);
    for (const { data } of runs) {
      const own = receiver.received.map(eventOf).filter((event) => event.data.executionId === data.executionId);
      expect(own.at(-1)?.event).toBe("execution.completed");
    }
  } finally {
    await second.stop();
  }
}, 120_000);

it("a flow that the workspace's own events start comes to an end", async () => {
  const flow = await createFlow({ name: "On completed", nodes: [transform("a", "1")] });
  await subscribe(flow.trigger.config.url, ["execution.completed"]);
  const { executionId } = await execute((await quick()).id);
  expect((await readExecution(executionId)).status).toBe("completed");
  const runsOf = async () => {
    const answer = await call<unknown[]>("GET", `/executions?flowId=${flow.id}&limit=100`);
    return answer.pagination.total;
  };
  await eventually("it was started", async () => ((await runsOf()) >= 5 ? true : undefined));
  await pause(2_000);
  const count = await runsOf();
  await pause(1_500);
  expect(await runsOf()).toBe(count);
});
