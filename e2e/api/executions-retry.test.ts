import { describe, expect, it } from "vitest";
import { patch, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import {
  createFlow,
  edge,
  ended,
  execute,
  node,
  outputOf,
  readExecution,
  start,
  statuses,
  type TestRun,
  transform,
} from "#e2e/support/flows.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

interface Retried extends TestRun {
  readonly originalExecutionId: string;
}

const retry = (id: string, body?: unknown) => post<Retried>(`/executions/${id}/retry`, body);

/** Retries a run and returns the new one's end. */
async function retried(id: string, body?: unknown) {
  const { status, data } = await retry(id, body);
  expect(status).toBe(202);
  return await ended(data.executionId, "?includeNodeOutputs=true");
}

const chain = [
  transform("a", "'a' + $trigger.body.x"),
  transform("b", "$node.output + 'b'"),
  transform("c", "$node.output + 'c'"),
];
const chainEdges = [edge("a", "b"), edge("b", "c")];

describe("a retry", () => {
  // Proves execution-status.retried, executions.read.original, executions.read.source, executions.retry.answer
  it.each([undefined, {}, { fromNode: null, overrideData: null }])(
    "with %j is a new execution from the same data",
    async (body) => {
      const flow = await createFlow({ nodes: chain, edges: chainEdges });
      const original = await execute(flow.id, { x: 1 });
      const { status, data } = await retry(original.executionId, body);
      expect(status).toBe(202);
      expect(data).toEqual({
        executionId: expect.stringMatching(/^exec_/),
        originalExecutionId: original.executionId,
        status: "running",
        startedAt: expect.any(String),
      });
      expect(data.executionId).not.toBe(original.executionId);
      expect(await ended(data.executionId)).toMatchObject({
        status: "completed",
        output: "a1bc",
        originalExecutionId: original.executionId,
        trigger: { data: { x: 1 } },
        metadata: { source: "retry" },
      });
      expect(await readExecution(original.executionId)).not.toHaveProperty("originalExecutionId");
    },
  );

  // Proves executions.retry.override-data
  it("overrideData replaces the data", async () => {
    const original = await execute((await createFlow({ nodes: chain, edges: chainEdges })).id, { x: 1, y: 2 });
    expect(await retried(original.executionId, { overrideData: { x: 9 } })).toMatchObject({
      output: "a9bc",
      trigger: { data: { x: 9 } },
    });
  });

  // Proves executions.retry.input
  it("keeps the headers and the query of a trigger call", async () => {
    const flow = await createFlow({
      nodes: [transform("t", "[$trigger.query, $trigger.headers['x-mark'], $trigger.method]")],
    });
    const called = await fetch(`${flow.trigger.config.url}?a=1`, { method: "POST", headers: { "x-mark": "here" } });
    const again = await retried(called.headers.get("x-execution-id") ?? "");
    expect(again).toMatchObject({ output: [{ a: "1" }, "here", "POST"], trigger: { type: "webhook" } });
  });

  // Proves executions.retry.current-version
  it("runs the flow's current version", async () => {
    const flow = await createFlow({ nodes: [transform("t", "'old'")] });
    const original = await execute(flow.id);
    await patch(`/flows/${flow.id}`, { nodes: [transform("t", "'new'")] });
    expect(await retried(original.executionId)).toMatchObject({ output: "new", flowVersion: 2 });
  });

  // Proves executions.retry.any-status
  it("is possible from any status", async () => {
    const sink = await countingServer((index) => (index === 0 ? "hold" : {}));
    const id = await start((await createFlow({ nodes: [node("call", "http-request", { url: sink.url })] })).id);
    await sink.until(1);
    expect((await retried(id)).status).toBe("completed");
    await post(`/executions/${id}/cancel`);
    expect((await retried(id)).status).toBe("completed");
    const failed = await execute((await createFlow({ nodes: [transform("t", "$trigger.body.a.b")] })).id);
    expect((await retried(failed.executionId, { overrideData: { a: { b: 1 } } })).output).toBe(1);
  });

  it("of a retry names the execution that was retried", async () => {
    const first = await execute((await createFlow()).id);
    const second = await retried(first.executionId);
    expect(await retried(second.id)).toMatchObject({ originalExecutionId: second.id });
  });
});

describe("fromNode", () => {
  // Proves executions.retry.from-node
  it("keeps the outputs of earlier nodes, and runs it and what follows", async () => {
    const sink = await countingServer((index) => ({ status: index === 1 ? 400 : 200, body: { call: index } }));
    const call = (id: string) => node(id, "http-request", { method: "POST", url: `${sink.url}/${id}` });
    const edges = [edge("one", "two"), edge("two", "three")];
    const { id } = await createFlow({ nodes: [call("one"), call("two"), call("three")], edges });
    const original = await execute(id);
    expect(statuses(original)).toEqual({ one: "completed", two: "failed", three: "skipped" });
    const again = await retried(original.executionId, { fromNode: "two" });
    expect(statuses(again)).toEqual({ one: "completed", two: "completed", three: "completed" });
    expect(sink.received.map(({ url }) => url)).toEqual(["/one", "/two", "/two", "/three"]);
    expect(outputOf(again, "one")).toEqual(outputOf(original, "one"));
  });

  it("with overrideData: kept outputs stay, running nodes see the new data", async () => {
    const nodes = [transform("a", "$trigger.body.x"), transform("b", "[$node.output, $trigger.body.x]")];
    const original = await execute((await createFlow({ nodes, edges: [edge("a", "b")] })).id, { x: 1 });
    expect((await retried(original.executionId, { fromNode: "b", overrideData: { x: 2 } })).output).toEqual([1, 2]);
  });

  it("skips nodes that neither precede nor follow", async () => {
    const sink = await countingServer();
    const nodes = [transform("a", "1"), transform("b", "2"), node("aside", "http-request", { url: sink.url })];
    const original = await execute((await createFlow({ nodes, edges: [edge("a", "b"), edge("a", "aside")] })).id);
    expect(statuses(await retried(original.executionId, { fromNode: "b" }))).toMatchObject({ aside: "completed" });
    expect(sink.received).toHaveLength(1);
  });

  it("follows the branch that was taken", async () => {
    const nodes = [
      node("check", "if-else", { condition: "$trigger.body.ok" }),
      transform("yes", "'yes'"),
      transform("no", "'no'"),
      transform("end", "$node.output + '!'"),
    ];
    const edges = [edge("check", "yes", "true"), edge("check", "no", "false"), edge("yes", "end"), edge("no", "end")];
    const original = await execute((await createFlow({ nodes, edges })).id, { ok: true });
    const again = await retried(original.executionId, { fromNode: "end" });
    expect(again.output).toBe("yes!");
    expectInvalid(await retry(original.executionId, { fromNode: "no" }), "fromNode");
  });

  // Proves executions.retry.unknown-node
  it.each([["nope"], [""], ["__proto__"], ["trigger"]])("400 for %j, which is no node", async (fromNode) => {
    const original = await execute((await createFlow({ nodes: chain, edges: chainEdges })).id, { x: 1 });
    expectInvalid(await retry(original.executionId, { fromNode }), "fromNode");
  });

  // Proves executions.retry.missing-outputs
  it("400 if what it depends on left no output", async () => {
    const nodes = [transform("a", "$trigger.body.no.pe"), transform("b", "1"), transform("c", "2")];
    const original = await execute((await createFlow({ nodes, edges: chainEdges })).id);
    expectInvalid(await retry(original.executionId, { fromNode: "c" }), "fromNode", /"a"/);
    expect((await retry(original.executionId, { fromNode: "a" })).status).toBe(202);
  });
});

describe("400 and 404", () => {
  // Proves executions.retry.refused
  it.each<[string, unknown]>([
    ["overrideData", 5],
    ["overrideData", []],
    ["fromNode", 5],
  ])("%s: %j", async (field, value) => {
    expectInvalid(await retry("exec_01hzzzzzzzzzzzzzzzzzzzzzzz", { [field]: value }), field);
  });

  // Proves executions.retry.refused
  it.each(["x", "exec_01hzzzzzzzzzzzzzzzzzzzzzzz"])("404 for %s", async (id) => {
    expectRefusal(await retry(id), 404, "NOT_FOUND");
  });
});
