import { describe, expect, it } from "vitest";
import { get, patch, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { createFlow, edge, execute, node, readExecution, run, type TestRun, transform } from "#e2e/support/flows.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("a single execution", () => {
  // Proves conventions.timestamps, executions.read.whole, executions.read.trigger, executions.read.node-fields
  // Proves executions.read.without-outputs
  it("has every field of the single read, and nodes without outputs", async () => {
    const flow = await createFlow({ name: "Read me", nodes: [{ ...transform("t", "1 + 1"), name: "Add" }] });
    const result = await execute(flow.id, { x: 1 }, { metadata: { order: 7 } });
    expect(await readExecution(result.executionId)).toEqual({
      id: result.executionId,
      flowId: flow.id,
      flowName: "Read me",
      flowVersion: 1,
      status: "completed",
      trigger: { type: "manual", data: { x: 1 }, timestamp: result.startedAt },
      startedAt: result.startedAt,
      completedAt: result.completedAt,
      duration: result.duration,
      nodes: [
        {
          nodeId: "t",
          nodeName: "Add",
          type: "transform",
          status: "completed",
          startedAt: timestamp,
          completedAt: timestamp,
          duration: expect.any(Number),
          effect: "none",
        },
      ],
      output: 2,
      metadata: expect.objectContaining({ order: 7, source: "api" }),
      nodesExecuted: 1,
      errorCount: 0,
      warningCount: 0,
      warnings: [],
    });
  });

  // Proves executions.read.without-outputs
  it("has the nodes' outputs with includeNodeOutputs=true", async () => {
    const { id } = await createFlow({ nodes: [transform("t", "{{ $trigger.body.x + 1 }}"), transform("n", "null")] });
    const { executionId } = await execute(id, { x: 1 });
    const execution = await readExecution(executionId, "?includeNodeOutputs=true");
    expect(execution.nodes).toMatchObject([
      { nodeId: "t", output: 2 },
      { nodeId: "n", output: null },
    ]);
    expect(execution).not.toHaveProperty("logs");
  });

  // Proves executions.read.include-logs
  it("has its log with includeLogs=true, and no outputs", async () => {
    const { id } = await createFlow({ nodes: [node("note", "log", { message: "said" })] });
    const { executionId } = await execute(id);
    const execution = await readExecution(executionId, "?includeLogs=true");
    expect(execution.logs).toMatchObject([
      { nodeId: null, id: "started" },
      { nodeId: "note", level: "info", message: "said", timestamp },
      { nodeId: null, id: "ended" },
    ]);
    expect(execution.nodes[0]).not.toHaveProperty("output");
  });

  // Proves executions.read.node-statuses, executions.read.error
  it("of a failed run has an error with message, node and code, as its node has", async () => {
    const { id } = await createFlow({
      nodes: [transform("bad", "$trigger.body.a.b"), transform("next", "1")],
      edges: [edge("bad", "next")],
    });
    const { executionId } = await execute(id);
    const { error, nodes, errorCount } = await readExecution(executionId);
    expect(error).toEqual({ message: expect.stringContaining("a.b"), nodeId: "bad", code: "EXPRESSION_FAILED" });
    expect(errorCount).toBe(1);
    expect(nodes).toMatchObject([
      { nodeId: "bad", status: "failed", error: { code: "EXPRESSION_FAILED" } },
      { nodeId: "next", status: "skipped", startedAt: null, completedAt: null, duration: null },
    ]);
  });

  // Proves executions.read.retries
  it("has how often an HTTP request was retried, 0 included", async () => {
    const sink = await countingServer(() => ({ reset: true }));
    const call = node("call", "http-request", { url: sink.url, retry: { maxRetries: 2, retryDelay: 1 } });
    const { executionId } = await run([call]);
    expect((await readExecution(executionId)).nodes).toMatchObject([{ retries: 2, status: "failed" }]);
    expect(sink.received).toHaveLength(3);
    const skipped = await run([transform("stop", "$trigger.body.a.b"), call], [edge("stop", "call")]);
    expect((await readExecution(skipped.executionId)).nodes[1]).toMatchObject({ retries: 0, status: "skipped" });
  });

  // Proves executions.read.metadata, executions.read.source
  it("says that its trigger URL started it", async () => {
    const flow = await createFlow({ nodes: [transform("t", "1")] });
    const response = await fetch(flow.trigger.config.url, {
      method: "POST",
      body: '{"a":1}',
      headers: { "content-type": "application/json", "user-agent": "Caller/2" },
    });
    expect(await readExecution(response.headers.get("x-execution-id") ?? "")).toMatchObject({
      trigger: { type: "webhook", data: { a: 1 } },
      metadata: { source: "webhook", userAgent: "Caller/2", ip: expect.stringMatching(/127\.0\.0\.1|::1/) },
    });
  });

  // Proves executions.read.flow-name
  it("keeps the flow's name of that time", async () => {
    const { id } = await createFlow({ name: "Before" });
    const { data } = await post<TestRun>(`/flows/${id}/execute`, { async: false });
    await patch(`/flows/${id}`, { name: "After" });
    expect((await readExecution(data.executionId)).flowName).toBe("Before");
  });
});

describe("400 and 404", () => {
  // Proves executions.read.flags
  it.each(["includeLogs", "includeNodeOutputs"])("%s must be true or false", async (flag) => {
    for (const value of ["maybe", "1", ""]) expectInvalid(await get(`/executions/x?${flag}=${value}`), flag);
  });

  // Proves executions.logs.missing, executions.read.missing
  it.each(["x", "exec_01hzzzzzzzzzzzzzzzzzzzzzzz", "%00", "flow_01hzzzzzzzzzzzzzzzzzzzzzzz"])(
    "404 for %s",
    async (id) => {
      expectRefusal(await get(`/executions/${id}`), 404, "NOT_FOUND");
      expectRefusal(await get(`/executions/${id}/logs`), 404, "NOT_FOUND");
    },
  );
});
