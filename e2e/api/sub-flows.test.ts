// Flows that run other flows, and nodes that end a run or join its branches.
import { describe, expect, it } from "vitest";
import { del, get, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import {
  createFlow,
  edge,
  ended,
  execute,
  node,
  outputOf,
  readExecution,
  run,
  start,
  statuses,
  transform,
} from "#e2e/support/flows.ts";

type Json = Record<string, unknown>;
interface Child {
  readonly executionId: string;
  readonly status: string;
  readonly output: unknown;
}

const sub = (flowId: string, config: Json = {}) => node("sub", "sub-flow", { flowId, ...config });
/** A flow that calls `url` and waits for the answer. */
const callingFlow = (url: string) => createFlow({ nodes: [node("call", "http-request", { url })] });
const executionsOf = async (flowId: string) =>
  (await get<{ id: string; status: string }[]>(`/executions?flowId=${flowId}`)).data;

describe("a sub-flow", () => {
  // Proves nodes.sub-flow
  it("runs with its data as a separate execution, and returns its output when it has ended", async () => {
    const child = await createFlow({ nodes: [transform("it", "({got: $trigger.body, depth: $trigger.headers})")] });
    const nodes = [
      sub(child.id, { data: { n: "{{ $trigger.body.n }}" } }),
      transform("after", "$node.output.output.got.n + 1"),
    ];
    const parent = await run(nodes, [edge("sub", "after")], { n: 4 });
    expect([parent.status, parent.output]).toEqual(["completed", 5]);
    const { executionId, status } = outputOf(parent, "sub") as Child;
    expect(status).toBe("completed");
    expect(await readExecution(executionId)).toMatchObject({
      flowId: child.id,
      status: "completed",
      metadata: { source: "sub-flow", parentExecutionId: parent.executionId, parentNodeId: "sub" },
    });
  });

  // Proves nodes.sub-flow
  it("that is not awaited continues on its own, and its failure is its own", async () => {
    const child = await createFlow({ nodes: [transform("it", "$nothing")] });
    const parent = await run([sub(child.id, { wait: false })]);
    const { executionId, status, output } = parent.output as Child;
    expect([parent.status, status, output]).toEqual(["completed", "running", null]);
    expect((await ended(executionId)).status).toBe("failed");
  });

  it("that fails, fails the node with its reason", async () => {
    const child = await createFlow({ nodes: [node("stop", "stop", { status: "failed", message: "no stock" })] });
    const parent = await run([sub(child.id)]);
    expect(parent).toMatchObject({ status: "failed", error: { nodeId: "sub", code: "SUB_FLOW_FAILED" } });
    expect(parent.error?.message).toMatch(/failed: no stock$/);
  });

  it("that is long is awaited without a process, and cancelled with the run that waits for it", async () => {
    const sink = await countingServer(() => "hold");
    const child = await callingFlow(sink.url);
    const { id: flowId } = await createFlow({
      nodes: [sub(child.id), transform("after", "1")],
      edges: [edge("sub", "after")],
    });
    const id = await start(flowId);
    await sink.until(1);
    const [execution] = await executionsOf(child.id);
    expect((await post(`/executions/${id}/cancel`, {})).status).toBe(200);
    expect(statuses(await readExecution(id))).toEqual({ sub: "cancelled", after: "skipped" });
    expect((await ended(execution?.id ?? "")).status).toBe("cancelled");
    await eventually("its request is given up", () => (sink.aborted() === 1 ? true : undefined));
  });

  it("that is cancelled fails the run that waits for it; so does one whose record is deleted", async () => {
    const sink = await countingServer(() => "hold");
    const child = await callingFlow(sink.url);
    const { id: flowId } = await createFlow({ nodes: [sub(child.id)] });
    for (const [index, end] of [
      (id: string) => post(`/executions/${id}/cancel`, {}),
      (id: string) => del(`/executions/${id}`),
    ].entries()) {
      const id = await start(flowId);
      await sink.until(index + 1);
      const running = (await executionsOf(child.id)).find(({ status }) => status === "running");
      await end(running?.id ?? "");
      expect(await ended(id)).toMatchObject({ status: "failed", error: { code: "SUB_FLOW_FAILED" } });
    }
  });

  it("is cancelled when the run fails elsewhere", async () => {
    const sink = await countingServer(() => "hold");
    const child = await callingFlow(sink.url);
    const trigger = await countingServer(() => "hold");
    const nodes = [sub(child.id), node("go", "http-request", { url: trigger.url }), transform("fails", "$nothing")];
    const id = await start((await createFlow({ nodes, edges: [edge("go", "fails")] })).id);
    await sink.until(1);
    trigger.release();
    expect((await ended(id)).status).toBe("failed");
    const [execution] = await executionsOf(child.id);
    expect((await ended(execution?.id ?? "")).status).toBe("cancelled");
  });

  it.each(["flow_01kad6w1m4e8tvm8d9fqzc4x2r", "nothing", "{{ $trigger.body.none }}"])(
    "%s is not found",
    async (flowId) => {
      const parent = await run([sub(flowId)]);
      expect(parent).toMatchObject({ status: "failed", error: { nodeId: "sub" } });
      expect(["FLOW_NOT_FOUND", "INVALID_CONFIG"]).toContain(parent.error?.code);
    },
  );

  it("that calls itself ends at the depth limit, and says so", async () => {
    const { id } = await createFlow({ nodes: [node("self", "sub-flow", { flowId: "{{ $flow.id }}" })] });
    const parent = await execute(id);
    expect(parent).toMatchObject({ status: "failed", error: { code: "SUB_FLOW_FAILED" } });
    expect(parent.error?.message).toMatch(/too deeply: at most 5 deep/);
    expect(await executionsOf(id)).toHaveLength(6);
  });
});

describe("a stop", () => {
  // Proves nodes.stop
  it("ends the run with its output, and what follows is skipped", async () => {
    const nodes = [
      transform("a", "1"),
      node("stop", "stop", { message: "done", output: { a: "{{ $node.output }}" } }),
      transform("b", "2"),
    ];
    const ended = await run(nodes, [edge("a", "stop"), edge("stop", "b")]);
    expect(ended).toMatchObject({ status: "completed", output: { a: 1 } });
    expect(statuses(ended)).toEqual({ a: "completed", stop: "completed", b: "skipped" });
  });

  it("ends it with an error that nothing catches", async () => {
    const nodes = [
      node("stop", "stop", { status: "failed", message: "no {{ 'items' }}", onError: "continue" }),
      transform("rescue", "2"),
    ];
    const ended = await run(nodes, [edge("stop", "rescue", "error")]);
    expect(ended).toMatchObject({ status: "failed", error: { nodeId: "stop", code: "STOPPED", message: "no items" } });
    expect(statuses(ended)).toEqual({ stop: "failed", rescue: "skipped" });
  });
});

describe("a merge", () => {
  const nodes = (mode: string) => [
    node("choice", "if-else", { condition: "$trigger.body.both" }),
    transform("one", "({n: 1})"),
    transform("two", "({n: 2})"),
    transform("three", "({n: 3})"),
    node("merge", "merge", { mode }),
  ];
  const edges = [edge("choice", "two", "true"), edge("two", "merge"), edge("one", "merge"), edge("three", "merge")];

  it.each([
    ["object", { one: { n: 1 }, three: { n: 3 } }],
    ["array", [{ n: 1 }, { n: 3 }]],
    ["first", { n: 1 }],
  ])("makes an %s of the branches that were taken", async (mode, expected) => {
    expect((await run(nodes(mode), edges, { both: false })).output).toEqual(expected);
  });

  it("combines all branches if all were taken, in the order of the edges", async () => {
    expect((await run(nodes("array"), edges, { both: true })).output).toEqual([{ n: 2 }, { n: 1 }, { n: 3 }]);
  });
});
