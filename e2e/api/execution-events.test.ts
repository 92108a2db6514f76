import { describe, expect, it } from "vitest";
import { del, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { createFlow, ended, execute, node, start, transform } from "#e2e/support/flows.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";
import { deliveriesOf, eventOf, eventsOf, subscribe, untilEvents } from "#e2e/support/webhooks.ts";

inOwnWorkspace("Events");

const quick = () => createFlow({ nodes: [transform("a", "$trigger.body")] });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("the events of a run", () => {
  // Proves events.started-completed
  it("are its start and its end, in this order", async () => {
    const receiver = await countingServer();
    await subscribe(receiver.url);
    const { executionId } = await execute((await quick()).id, { a: 1 });
    const events = await untilEvents(receiver, executionId, 2);
    expect(events.map(({ event }) => event)).toEqual(["execution.started", "execution.completed"]);
    expect(events[0]?.data).toMatchObject({ status: "running", duration: null, output: null });
    expect(events[1]?.data).toMatchObject({ status: "completed", output: { a: 1 } });
  });

  // Proves events.failed
  it.each([
    ["failed", { nodes: [transform("a", "missing.x")] }],
    ["timeout", { nodes: [node("a", "http-request", { url: "" })], settings: { timeoutMs: 200 } }],
  ])("its failure: %s", async (status, fields) => {
    const receiver = await countingServer();
    const sink = await countingServer(() => "hold");
    await subscribe(receiver.url, ["flow.execution.failed", "execution.completed"]);
    const nodes = fields.nodes.map((node) =>
      node.type === "http-request" ? { ...node, config: { url: sink.url } } : node,
    );
    const { id } = await createFlow({ ...fields, nodes });
    await start(id);
    const [event] = await untilEvents(receiver, id, 1);
    expect(event).toMatchObject({ event: "flow.execution.failed", data: { status, output: null } });
  });

  // Proves events.cancelled, execution-status.cancelled-event
  it("include its cancellation, however it came about", async () => {
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

  // Proves events.aliases
  it("include its start and its cancellation under the aliases", async () => {
    const receiver = await countingServer();
    const sink = await countingServer(() => "hold");
    const names = ["flow.execution.started", "flow.execution.cancelled"];
    await subscribe(receiver.url, names);
    const id = await start((await createFlow({ nodes: [node("a", "http-request", { url: sink.url })] })).id);
    await sink.until(1);
    await post(`/executions/${id}/cancel`);
    expect((await untilEvents(receiver, id, 2)).map(({ event }) => event)).toEqual(names);
  });

  it("go only to those who subscribed", async () => {
    const receiver = await countingServer();
    const { id } = await subscribe(receiver.url, ["execution.failed"]);
    const { executionId } = await execute((await quick()).id);
    await pause(700);
    expect(eventsOf(receiver, executionId)).toEqual([]);
    expect(await deliveriesOf(id, executionId)).toEqual([]);
  });

  // Proves events.aliases
  it("go once to a subscription with both names, and to each subscription under its own", async () => {
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
  it("for 50 concurrent runs: a start and an end for each", async () => {
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
      .filter((request) => eventOf(request).data.flowId === id)
      .map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(100);
  });

  it("if a cancellation races the end: one end, the record's", async () => {
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

  // Proves events.in-order
  it("if the first is refused: the second waits for it", async () => {
    const receiver = await countingServer((index) => ({ status: index === 0 ? 500 : 200 }));
    await subscribe(receiver.url);
    const flow = await quick();
    const { executionId } = await execute(flow.id);
    const events = await untilEvents(receiver, executionId, 3);
    const started = "execution.started";
    expect(events.map(({ event }) => event)).toEqual([started, started, "execution.completed"]);
  });
});
