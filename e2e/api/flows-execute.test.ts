import { describe, expect, inject, it } from "vitest";
import { get, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import {
  createFlow,
  edge,
  ended,
  execute,
  node,
  readExecution,
  run,
  statuses,
  type TestRun,
  transform,
} from "#e2e/support/flows.ts";
import { signedInAs } from "#e2e/support/people.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("async, explicitly or by default", () => {
  // Proves execution-status.async-running, flows.execute.async-answer
  it.each([{}, { async: true }, undefined])("%j is answered with 202 at once and runs to its end", async (body) => {
    const flow = await createFlow({ nodes: [transform("t", "40 + 2")] });
    const { status, data } = await post<TestRun>(`/flows/${flow.id}/execute`, body);
    expect(status).toBe(202);
    expect(data).toEqual({
      executionId: expect.stringMatching(/^exec_/),
      status: "running",
      startedAt: expect.stringMatching(timestamp),
      flowId: flow.id,
    });
    expect(await ended(data.executionId)).toMatchObject({ status: "completed", output: 42, startedAt: data.startedAt });
  });

  // Proves flows.execute.async
  it("is answered before the run ends", async () => {
    const sink = await countingServer(() => "hold");
    const flow = await createFlow({ nodes: [node("call", "http-request", { url: sink.url })] });
    const { data } = await post<TestRun>(`/flows/${flow.id}/execute`, {});
    await sink.until(1);
    expect((await readExecution(data.executionId)).status).toBe("running");
    sink.release();
    expect((await ended(data.executionId)).status).toBe("completed");
  });
});

describe("async: false", () => {
  // Proves conventions.durations, execution-status.sync-completed, flows.execute.sync-answer
  it("is answered with 200, the output, and every node's result", async () => {
    const nodes = [transform("first", "1"), transform("second", "$node.output + 1")];
    const result = await run(nodes, [edge("first", "second")]);
    expect(result).toMatchObject({ status: "completed", output: 2 });
    expect(result.nodes).toEqual([
      { nodeId: "first", status: "completed", output: 1 },
      { nodeId: "second", status: "completed", output: 2 },
    ]);
    expect(result.startedAt).toMatch(timestamp);
    expect(result.completedAt).toMatch(timestamp);
    expect(result.duration).toBe(Date.parse(result.completedAt) - Date.parse(result.startedAt));
    expect(result).not.toHaveProperty("error");
  });

  // Proves flows.execute.sync-nodes, nodes.if-else
  it("lists nodes in the flow's order, with output null for skipped and failed ones", async () => {
    const nodes = [
      transform("after", "1"),
      node("check", "if-else", { condition: "true" }),
      transform("bad", "$trigger.body.a.b"),
      transform("else", "2"),
    ];
    const edges = [edge("check", "bad", "true"), edge("check", "else", "false"), edge("bad", "after")];
    const result = await run(nodes, edges);
    expect(result.nodes).toEqual([
      { nodeId: "after", status: "skipped", output: null },
      { nodeId: "check", status: "completed", output: { result: true, branch: "true" } },
      { nodeId: "bad", status: "failed", output: null },
      { nodeId: "else", status: "skipped", output: null },
    ]);
  });

  // Proves flows.execute.sync-failed
  it("is 200 for a failed run too, with the reason", async () => {
    const result = await run([transform("bad", "$trigger.body.a.b")]);
    expect(result).toMatchObject({ status: "failed", output: null, error: { nodeId: "bad" } });
    expect(result.error?.message).toContain("$trigger.body.a.b");
  });

  // Proves flows.execute.no-nodes
  it("completes a flow without nodes with the output null", async () => {
    expect(await run([])).toMatchObject({ status: "completed", output: null, nodes: [] });
  });

  // Proves execution-status.timeout, executions.read.node-statuses
  it("reports a run that exceeds its time limit", async () => {
    const sink = await countingServer(() => "hold");
    const nodes = [node("call", "http-request", { url: sink.url }), transform("after", "1")];
    const result = await run(nodes, [edge("call", "after")], {}, { settings: { timeoutMs: 300 } });
    expect(result).toMatchObject({ status: "timeout", output: null, error: { code: "TIMEOUT" } });
    expect(statuses(result)).toEqual({ call: "cancelled", after: "skipped" });
    expect(await readExecution(result.executionId)).toMatchObject({ status: "timeout", error: { code: "TIMEOUT" } });
    expect(sink.aborted()).toBe(1);
  });

  it("reports a run that is cancelled meanwhile", async () => {
    const sink = await countingServer(() => "hold");
    const nodes = [node("said", "log", { level: "warning" }), node("call", "http-request", { url: sink.url })];
    const flow = await createFlow({ nodes, edges: [edge("said", "call")] });
    const running = execute(flow.id);
    await sink.until(1);
    const [listed] = (await get<{ id: string }[]>(`/executions?flowId=${flow.id}`)).data;
    await post(`/executions/${listed?.id}/cancel`);
    const result = await running;
    expect(result).toMatchObject({ status: "cancelled", output: null });
    expect(statuses(result)).toEqual({ said: "completed", call: "cancelled" });
    expect(await readExecution(result.executionId)).toMatchObject({
      nodesExecuted: 1,
      warningCount: 1,
      warnings: [{ nodeId: "said" }],
    });
  });

  it("continues when the caller hangs up", async () => {
    const sink = await countingServer(() => "hold");
    const flow = await createFlow({ nodes: [node("call", "http-request", { url: sink.url })] });
    const hangUp = new AbortController();
    const call = post(`/flows/${flow.id}/execute`, { async: false }, { signal: hangUp.signal });
    await sink.until(1);
    hangUp.abort();
    await expect(call).rejects.toThrow();
    sink.release();
    const [listed] = (await get<{ id: string }[]>(`/executions?flowId=${flow.id}`)).data;
    expect(await ended(listed?.id ?? "")).toMatchObject({ status: "completed", output: { status: 200 } });
  });
});

describe("a run's input", () => {
  // Proves flows.execute.data
  it("data is $trigger.body, {} by default", async () => {
    const flow = await createFlow({ nodes: [transform("t", "$trigger")] });
    const trigger = { headers: {}, query: {}, method: "POST" };
    expect((await execute(flow.id, { a: [1] })).output).toEqual({ ...trigger, body: { a: [1] } });
    const bare = await post<TestRun>(`/flows/${flow.id}/execute`, { async: false });
    expect(bare.data.output).toEqual({ ...trigger, body: {} });
  });

  // Proves flows.execute.any-status
  it.each(["draft", "inactive", "active"])("a flow that is %s runs", async (status) => {
    const flow = await createFlow({ status, nodes: [transform("t", "1")] });
    expect((await execute(flow.id)).status).toBe("completed");
  });

  // Proves executions.read.source, flows.execute.metadata
  it("the client's metadata is kept beside the service's, which it cannot overwrite", async () => {
    const flow = await createFlow();
    const metadata = { order: 7, source: "forged", ip: "1.2.3.4", userAgent: "forged", __proto__x: 1 };
    const headers = { "user-agent": "Tester/1.0" };
    const body = { async: false, metadata };
    const { data } = await post<TestRun>(`/flows/${flow.id}/execute`, body, { headers });
    const stored = (await readExecution(data.executionId)).metadata;
    expect(stored).toMatchObject({ order: 7, source: "api", userAgent: "Tester/1.0", __proto__x: 1 });
    expect(stored.ip).toMatch(/127\.0\.0\.1|::1/);
  });

  // Proves executions.read.source
  it.skipIf(inject("server").dataDir === undefined)("a run that a person starts has the source ui", async () => {
    const flow = await createFlow();
    const browser = await signedInAs("editor");
    const { status, data } = await browser.api<TestRun>("POST", `/flows/${flow.id}/execute`, { async: false });
    expect(status).toBe(200);
    expect((await readExecution(data.executionId)).metadata).toMatchObject({ source: "ui" });
  });

  // Proves node.run-of-incomplete
  it("a flow with an unfinished node runs up to it and fails there", async () => {
    const result = await run([transform("first", "1"), node("call", "http-request")], [edge("first", "call")]);
    expect(statuses(result)).toEqual({ first: "completed", call: "failed" });
    expect(result.error).toMatchObject({ nodeId: "call", code: "INVALID_CONFIG" });
    expect(result.error?.message).toBe("URL is required");
  });
});

describe("400 and 404", () => {
  // Proves flows.execute.invalid
  it.each<[string, unknown]>([
    ["async", "false"],
    ["async", null],
    ["data", []],
    ["data", "x"],
    ["data", null],
    ["metadata", 5],
  ])("%s: %j, and nothing starts", async (field, value) => {
    const flow = await createFlow();
    expectInvalid(await post(`/flows/${flow.id}/execute`, { [field]: value }), field);
    expect((await get<unknown[]>(`/executions?flowId=${flow.id}`)).data).toEqual([]);
  });

  // Proves flows.execute.missing
  it.each(["x", "flow_01hzzzzzzzzzzzzzzzzzzzzzzz"])("404 for %s", async (id) => {
    expectRefusal(await post(`/flows/${id}/execute`, {}), 404, "NOT_FOUND");
  });
});
