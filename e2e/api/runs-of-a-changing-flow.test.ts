// A flow that is changed or deleted during a run: the run keeps the version it started with, or ends at once.
import { expect, test } from "vitest";
import { del, get, patch } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { createFlow, edge, ended, execute, node, readExecution, start, transform } from "#e2e/support/flows.ts";
import { eventsOf, subscribe, untilEvents } from "#e2e/support/webhooks.ts";

/** Runs held at their first node, of a flow whose second one reports its version. */
async function heldRuns(count: number) {
  const sink = await countingServer((index) => (index < count ? "hold" : {}));
  const nodes = (version: string) => [
    node("call", "http-request", { url: sink.url }),
    transform("version", `"${version}"`),
  ];
  const flow = await createFlow({ nodes: nodes("old"), edges: [edge("call", "version")] });
  const ids = await Promise.all(Array.from({ length: count }, () => start(flow.id)));
  await sink.until(count);
  return { flow, sink, ids, nodes };
}

test("runs in progress when their flow is changed end as they began; the next run is of the new version", async () => {
  const { flow, sink, ids, nodes } = await heldRuns(5);
  expect((await patch(`/flows/${flow.id}`, { nodes: nodes("new"), name: "Renamed" })).status).toBe(200);
  sink.release();
  for (const id of ids) {
    const run = await ended(id);
    expect([run.status, run.output, run.flowVersion, run.flowName]).toEqual(["completed", "old", 1, flow.name]);
  }
  expect((await execute(flow.id)).output).toBe("new");
});

test("runs in progress when their flow is deleted are cancelled, abort their calls, and stay readable", async () => {
  const receiver = await countingServer();
  await subscribe(receiver.url);
  const { flow, sink, ids } = await heldRuns(5);
  expect((await del(`/flows/${flow.id}`)).status).toBe(204);
  for (const id of ids) {
    expect(await readExecution(id)).toMatchObject({ status: "cancelled", flowName: flow.name, flowVersion: 1 });
  }
  await eventually("their calls are aborted", () => (sink.aborted() === 5 ? true : undefined));
  await untilEvents(receiver, flow.id, 10);
  for (const id of ids) {
    const events = eventsOf(receiver, id).map(({ event }) => event);
    expect(events).toEqual(["execution.started", "execution.cancelled"]);
  }
  expect(sink.received).toHaveLength(5);
});

test("a flow deleted with its executions leaves nothing of those in progress", async () => {
  const { flow, sink, ids } = await heldRuns(3);
  expect((await del(`/flows/${flow.id}?deleteExecutions=true`)).status).toBe(204);
  for (const id of ids) expect((await get(`/executions/${id}`)).status).toBe(404);
  await eventually("their calls are aborted", () => (sink.aborted() === 3 ? true : undefined));
  expect((await get(`/executions?flowId=${flow.id}`)).pagination.total).toBe(0);
});
