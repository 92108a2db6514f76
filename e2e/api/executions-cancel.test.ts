import { describe, expect, it } from "vitest";
import { post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { createFlow, edge, execute, node, readExecution, start, statuses, transform } from "#e2e/support/flows.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

const cancel = (id: string, body?: unknown) =>
  post<{ id: string; status: string; cancelledAt: string; reason: string | null }>(`/executions/${id}/cancel`, body);

/** A run that waits for an HTTP answer. */
async function waitingRun() {
  const sink = await countingServer(() => "hold");
  const nodes = [transform("before", "1"), node("call", "http-request", { url: sink.url }), transform("after", "1")];
  const { id: flowId } = await createFlow({ nodes, edges: [edge("before", "call"), edge("call", "after")] });
  const id = await start(flowId);
  await sink.until(1);
  return { id, sink };
}

describe("a cancelled run", () => {
  // Proves execution-status.cancelled, executions.cancel.answer, executions.logs.execution-level
  // Proves executions.read.cancelled
  it("is answered with the time and reason, and the record has both", async () => {
    const { id } = await waitingRun();
    const { status, data } = await cancel(id, { reason: "Too late" });
    expect(status).toBe(200);
    expect(data).toEqual({ id, status: "cancelled", cancelledAt: expect.any(String), reason: "Too late" });
    const { cancelledAt } = data;
    expect(await readExecution(id, "?includeLogs=true")).toMatchObject({
      status: "cancelled",
      cancelledAt,
      completedAt: cancelledAt,
      reason: "Too late",
      output: null,
      logs: expect.arrayContaining([expect.objectContaining({ level: "info", nodeId: null, timestamp: cancelledAt })]),
    });
  });

  // Proves executions.cancel.reason
  it.each([undefined, {}, { reason: null }])("needs no reason: %j", async (body) => {
    const { id } = await waitingRun();
    expect((await cancel(id, body)).data.reason).toBeNull();
    expect(await readExecution(id)).toMatchObject({ status: "cancelled", reason: null });
  });

  // Proves executions.cancel.stops
  it("stops its work: the open request is aborted and nothing else starts", async () => {
    const { id, sink } = await waitingRun();
    await cancel(id);
    await eventually("the open request is given up", () => (sink.aborted() === 1 ? true : undefined));
    const expected = { before: "completed", call: "cancelled", after: "skipped" };
    await eventually("the nodes are told", async () => {
      const found = statuses(await readExecution(id));
      return JSON.stringify(found) === JSON.stringify(expected) ? true : undefined;
    });
    const { completedAt, nodes } = await readExecution(id);
    expect(nodes[1]).toMatchObject({ nodeId: "call", completedAt, duration: expect.any(Number) });
    expect(sink.received).toHaveLength(1);
  });

  it("stops a node that computes, which is seen to run before", async () => {
    const nodes = [node("compute", "code", { code: "for (;;) {}", timeoutMs: 10_000 }), transform("after", "1")];
    const id = await start((await createFlow({ nodes, edges: [edge("compute", "after")] })).id);
    const shows = (compute: string, after: string) =>
      eventually(`the node is ${compute}`, async () => {
        const found = statuses(await readExecution(id));
        return found.compute === compute && found.after === after ? true : undefined;
      });
    await shows("running", "pending");
    expect((await cancel(id)).status).toBe(200);
    await shows("cancelled", "skipped");
  });

  it("also stops when it waits before a retry", async () => {
    const sink = await countingServer(() => ({ status: 503 }));
    const retry = { maxRetries: 5, retryDelay: 60_000, backoff: "fixed", maxDelay: 60_000 };
    const id = await start((await createFlow({ nodes: [node("call", "http-request", { url: sink.url, retry })] })).id);
    await sink.until(1);
    expect((await cancel(id)).status).toBe(200);
    await eventually("the node is told", async () =>
      statuses(await readExecution(id)).call === "cancelled" ? true : undefined,
    );
  });
});

describe("400 INVALID_STATUS once the run has ended", () => {
  // Proves errors.invalid-status, execution-status.already-ended, executions.cancel.ended
  it.each([
    ["completed", "1"],
    ["failed", "$trigger.body.a.b"],
  ])("%s", async (status, program) => {
    const { executionId } = await execute((await createFlow({ nodes: [transform("t", program)] })).id);
    const answer = await cancel(executionId);
    expectRefusal(answer, 400, "INVALID_STATUS");
    expect(answer.error.details).toEqual({ currentStatus: status });
    expect((await readExecution(executionId)).status).toBe(status);
  });

  // Proves execution-status.already-ended
  it("including cancelled, and the first reason stays", async () => {
    const { id } = await waitingRun();
    await cancel(id, { reason: "first" });
    const answer = await cancel(id, { reason: "second" });
    expectRefusal(answer, 400, "INVALID_STATUS");
    expect(answer.error.details).toEqual({ currentStatus: "cancelled" });
    expect((await readExecution(id)).reason).toBe("first");
  });
});

describe("400 and 404", () => {
  // Proves executions.cancel.refused
  it.each([[5], ["x".repeat(5_001)], ["a\u0000b"], [{}]])("reason %j", async (reason) => {
    expectInvalid(await cancel("exec_01hzzzzzzzzzzzzzzzzzzzzzzz", { reason }), "reason");
  });

  // Proves executions.cancel.refused
  it.each(["x", "exec_01hzzzzzzzzzzzzzzzzzzzzzzz"])("404 for %s", async (id) => {
    expectRefusal(await cancel(id), 404, "NOT_FOUND");
  });
});
