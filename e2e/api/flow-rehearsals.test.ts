// Rehearsals of what goes wrong, over tests and runs; and tests that run their sub-flows through.
import { describe, expect, it } from "vitest";
import { get, patch, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { createFlow, edge, execute, node, transform } from "#e2e/support/flows.ts";
import { expectRefusal } from "#e2e/support/refusals.ts";

interface Case {
  readonly nodeId: string;
  readonly fault: string;
  readonly status: string;
  readonly answer: unknown;
  readonly handled: boolean;
  readonly repeatedEffects: readonly string[];
  readonly attempts: number;
  readonly note: string;
}

const ended = async (executionId: string) =>
  await expect
    .poll(async () => (await get<{ status: string }>(`/executions/${executionId}`)).data.status)
    .toMatch(/completed|failed/);

const rehearse = (flowId: string, body: object) => post<{ cases: Case[] }>(`/flows/${flowId}/rehearse`, body);

const allFaults = "no-answer timeout status-500 status-429 bad-json empty killed-before killed-after".split(" ");

/** A flow that pays and says how that went, after a run. */
async function payingFlow() {
  const sink = await countingServer(() => ({ body: { id: 17 } }));
  const pay = node("pay", "http-request", { method: "POST", url: sink.url, body: { amount: 42 } });
  const nodes = [pay, transform("id", "$node.output.body.id"), transform("sorry", "$node.output.error.code")];
  const edges = [edge("pay", "id"), edge("pay", "sorry", "error")];
  const flow = await createFlow({ nodes, edges });
  const { executionId } = await execute(flow.id, {});
  await ended(executionId);
  const { data: test } = await post<{ id: string }>(`/flows/${flow.id}/tests`, { fromExecutionId: executionId });
  return { sink, flow, executionId, testId: test.id, nodes, edges };
}

describe("a rehearsal", () => {
  it("goes through every fault of every node that acts, and reaches nothing outside", async () => {
    const { sink, flow, executionId, testId } = await payingFlow();
    const before = sink.received.length;
    const { status, data } = await rehearse(flow.id, { testId });
    expect(status).toBe(200);
    expect(data.cases.map(({ nodeId, fault }) => `${nodeId} ${fault}`)).toEqual(
      allFaults.map((fault) => `pay ${fault}`),
    );
    const of = (fault: string) => data.cases.find((rehearsed) => rehearsed.fault === fault);
    const caught = { status: "completed", handled: true, repeatedEffects: [], attempts: 1 };
    expect(of("no-answer")).toMatchObject({ ...caught, answer: "CONNECT_FAILED" });
    expect(of("timeout")).toMatchObject({ ...caught, answer: "TIMEOUT" });
    expect(of("status-500")).toMatchObject({ ...caught, answer: "HTTP_STATUS" });
    expect(of("status-429")).toMatchObject({ ...caught, answer: "HTTP_STATUS" });
    expect(of("bad-json")).toMatchObject({ handled: false, attempts: 1 });
    expect(of("empty")).toMatchObject({ handled: false, attempts: 1 });
    expect(of("killed-before")).toMatchObject({ answer: 17, handled: true, repeatedEffects: [], attempts: 2 });
    expect(of("killed-after")).toMatchObject({ answer: 17, handled: true, repeatedEffects: ["pay"], attempts: 2 });
    expect((await rehearse(flow.id, { executionId })).data).toEqual(data);
    expect(sink.received.length).toBe(before);
    const { data: runs } = await get<unknown[]>(`/executions?flowId=${flow.id}`);
    expect(runs).toHaveLength(1);
  });

  it("goes through the faults that are named, on the flow that is given", async () => {
    const { flow, testId, nodes, edges } = await payingFlow();
    const faults = [{ nodeId: "pay", fault: "timeout" }];
    const [pay, ...others] = nodes;
    const retrying = [{ ...pay, config: { ...pay?.config, retry: { maxRetries: 1 } } }, ...others];
    const { data } = await rehearse(flow.id, { testId, faults, definition: { nodes: retrying, edges } });
    expect(data.cases).toMatchObject([
      { fault: "timeout", answer: 17, handled: true, attempts: 2, repeatedEffects: ["pay"] },
    ]);
    const bare = { definition: { nodes: [pay] } };
    expect((await rehearse(flow.id, { testId, faults, ...bare })).data.cases).toMatchObject([
      { status: "failed", answer: null, handled: false, attempts: 1 },
    ]);
  });

  it("refuses what cannot go wrong, by the path", async () => {
    const { flow, testId } = await payingFlow();
    const refusals: [object, string][] = [
      [{ testId, faults: [{ nodeId: "gone", fault: "timeout" }] }, "faults[0].nodeId"],
      [
        {
          testId,
          faults: [
            { nodeId: "pay", fault: "timeout" },
            { nodeId: "id", fault: "timeout" },
          ],
        },
        "faults[1].nodeId",
      ],
      [{ testId, faults: [{ nodeId: "pay", fault: "fire" }] }, "faults[0].fault"],
      [{ testId, faults: [] }, "faults"],
      [{}, "testId"],
      [{ testId, executionId: "exec_x" }, "testId"],
      [{ executionId: "exec_x\u0000" }, "executionId"],
      [{ executionId: "exec_01kad7c9p2f6atqxv3m0wz8y5n" }, "executionId"],
    ];
    for (const [body, field] of refusals) {
      const refused = await rehearse(flow.id, body);
      expectRefusal(refused, 400, "VALIDATION_ERROR");
      expect(Object.keys(refused.error?.details ?? {})).toEqual([field]);
    }
    expectRefusal(await rehearse(flow.id, { testId: "test_gone" }), 404, "NOT_FOUND");
    const { data: bare } = await post<{ id: string }>(`/flows/${flow.id}/tests`, { name: "Nothing recorded" });
    const unrecorded = await rehearse(flow.id, { testId: bare.id });
    expect(unrecorded.error?.details).toEqual({ testId: 'nothing is recorded of "pay"' });
  });

  it("reports what is too much before doing any of it", async () => {
    const sink = await countingServer();
    const calls = Array.from({ length: 60 }, (_, index) => node(`call${index}`, "http-request", { url: sink.url }));
    const flow = await createFlow({ nodes: calls });
    const { data: test } = await post<{ id: string }>(`/flows/${flow.id}/tests`, { name: "Many" });
    const many = await rehearse(flow.id, { testId: test.id });
    expect(many.error?.details).toMatchObject({ faults: expect.stringContaining("480 cases") });
    const loop = node("loop", "loop", {
      items: "{{ Array.from({ length: 900 }, () => 1) }}",
      body: { nodes: [transform("one", "1")] },
    });
    const recordings = { call0: { output: { status: 200, headers: {}, body: null } } };
    const long = await createFlow({ nodes: [loop, calls[0]] });
    const { data: longTest } = await post<{ id: string }>(`/flows/${long.id}/tests`, { name: "Long", recordings });
    const faults = Array.from({ length: 30 }, () => ({ nodeId: "call0", fault: "empty" }));
    const refused = await rehearse(long.id, { testId: longTest.id, faults });
    expect(refused.error?.details).toMatchObject({ faults: expect.stringContaining("30 cases of 902 steps") });
    expect((await rehearse(long.id, { testId: longTest.id, faults: faults.slice(0, 2) })).data.cases).toHaveLength(2);
  });
});

describe("a deep test", () => {
  it("of a run has the results of its sub-flows' nodes, and finds a change in the lowest of them", async () => {
    const sink = await countingServer((index) => ({ body: { id: index + 1 } }));
    const call = node("pay", "http-request", { method: "POST", url: sink.url, body: { n: "{{ $trigger.body.n }}" } });
    const low = await createFlow({
      nodes: [call, transform("id", "$node.output.body.id + 1")],
      edges: [edge("pay", "id")],
    });
    const middle = await createFlow({
      nodes: [node("each", "loop", { items: "{{ [{ n: 1 }, { n: 2 }] }}", flowId: low.id })],
    });
    const flow = await createFlow({ nodes: [node("sub", "sub-flow", { flowId: middle.id })] });
    const { executionId } = await execute(flow.id, {});
    await ended(executionId);
    const before = sink.received.length;
    const made = await post<{ id: string; deep: boolean; recordings: unknown }>(`/flows/${flow.id}/tests`, {
      fromExecutionId: executionId,
      deep: true,
    });
    expect([made.status, made.data.deep]).toEqual([201, true]);
    const body = (id: number) => ({ pay: { output: { status: 200, body: { id } } } });
    expect(made.data.recordings).toMatchObject({
      sub: { recordings: { each: { sequence: [{ recordings: body(1) }, { recordings: body(2) }] } } },
    });
    const run = async () =>
      (await post<{ passed: number; results: { problems: { path: string }[] }[] }>(`/flows/${flow.id}/tests/run`, {}))
        .data;
    for (let turn = 0; turn < 5; turn += 1) expect(await run()).toMatchObject({ passed: 1 });
    await patch(`/flows/${low.id}`, { nodes: [call, transform("id", "$node.output.body.id + 2")] });
    const changed = await run();
    expect(changed.results[0]?.problems[0]?.path).toBe("nodes.sub.output.output.0.output");
    expect(sink.received.length).toBe(before);
  });

  it("refuses a cycle, and another workspace's flow as one that is missing", async () => {
    const flow = await createFlow({ nodes: [] });
    await patch(`/flows/${flow.id}`, { nodes: [node("again", "sub-flow", { flowId: flow.id })] });
    const test = { name: "Deep", deep: true, expect: { status: "failed" } };
    await post(`/flows/${flow.id}/tests`, { ...test, expect: { status: "completed" } });
    const { data } = await post<{ results: { problems: { message: string }[] }[] }>(`/flows/${flow.id}/tests/run`, {});
    expect(JSON.stringify(data.results)).toContain("SUB_FLOW_CYCLE");
    const foreign = await createFlow({
      nodes: [node("sub", "sub-flow", { flowId: "flow_01kad6w1m4e8tvm8d9fqzc4x2r" })],
    });
    await post(`/flows/${foreign.id}/tests`, { ...test, expect: { status: "completed" } });
    const missing = await post<{ results: unknown[] }>(`/flows/${foreign.id}/tests/run`, {});
    expect(JSON.stringify(missing.data.results)).toContain("FLOW_NOT_FOUND");
  });

  it("is read strictly, and travels with its flow", async () => {
    const flow = await createFlow({ nodes: [transform("a", "1")] });
    const tests = `/flows/${flow.id}/tests`;
    expect((await post(tests, { name: "x", deep: "yes" })).error?.details).toHaveProperty("deep");
    const nested = (depth: number): object =>
      depth === 0 ? { output: 1 } : { recordings: { sub: nested(depth - 1) } };
    expect((await post(tests, { name: "x", recordings: { sub: nested(6) } })).status).toBe(400);
    expect((await post(tests, { name: "x", recordings: { sub: { recordings: { pay: {} } } } })).status).toBe(400);
    expect((await post(tests, { name: "Deep", deep: true, recordings: { sub: nested(5) } })).status).toBe(201);
    const copy = await post<{ id: string }>(`/flows/${flow.id}/duplicate`, {});
    expect((await get<{ deep: boolean }[]>(`/flows/${copy.data.id}/tests`)).data).toMatchObject([{ deep: true }]);
  });
});
