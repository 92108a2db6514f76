// Tests of flows: made from runs and by hand, run over what is recorded, and carried along with their flow.
import { describe, expect, it } from "vitest";
import { type Answer, call, get, patch, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { createFlow, edge, execute, node, transform } from "#e2e/support/flows.ts";
import { expectRefusal } from "#e2e/support/refusals.ts";

interface Test {
  readonly id: string;
  readonly name: string;
  readonly expect: { readonly status: string; readonly nodes: Record<string, { request?: unknown }> };
  readonly recordings: Record<string, unknown>;
  readonly lastResult: { readonly status: string; readonly version: number } | null;
}
interface Results {
  readonly passed: number;
  readonly failed: number;
  readonly results: readonly {
    readonly testId: string;
    readonly status: string;
    readonly problems: readonly {
      path: string;
      nodeId: string | null;
      message: string;
      expected: unknown;
      actual: unknown;
    }[];
    readonly notRecorded: readonly string[];
  }[];
}

const ended = async (executionId: string) =>
  await expect
    .poll(async () => (await get<{ status: string }>(`/executions/${executionId}`)).data.status)
    .toMatch(/completed|failed/);

const make = async (flowId: string, body: object) => await post<Test>(`/flows/${flowId}/tests`, body);
const run = async (flowId: string, body: object = {}) => (await post<Results>(`/flows/${flowId}/tests/run`, body)).data;

const pay = (url: string, overrides: object = {}) =>
  node("pay", "http-request", {
    method: "POST",
    url: `${url}/pay`,
    body: { amount: "{{ $trigger.body.n * 2 }}" },
    ...overrides,
  });

describe("a test from a run", () => {
  it("passes at once and again and again, and nothing reaches the outside", async () => {
    const sink = await countingServer((index) => ({ body: { id: index + 1, at: Date.now() } }));
    const child = await createFlow({ nodes: [transform("plus", "$trigger.body.n + 1")] });
    const loopBody = {
      nodes: [
        node("ship", "http-request", { method: "POST", url: sink.url, body: "{{ $item }}" }),
        transform("number", "$nodes.ship.output.body.id + Math.random()"),
      ],
      edges: [edge("ship", "number")],
    };
    const flows: [Record<string, unknown>, Record<string, unknown>][] = [
      [
        { nodes: [pay(sink.url), transform("id", "[$node.output.body.id, Date.now()]")], edges: [edge("pay", "id")] },
        { n: 1 },
      ],
      [
        { nodes: [node("loop", "loop", { items: "{{ $trigger.body.items }}", concurrency: 3, body: loopBody })] },
        { items: [1, 2, 3, 4] },
      ],
      [
        {
          nodes: [
            node("sub", "sub-flow", { flowId: child.id, data: { n: 41 } }),
            transform("after", "$node.output.output"),
          ],
          edges: [edge("sub", "after")],
        },
        {},
      ],
      [{ nodes: [node("each", "loop", { items: "{{ [1, 2] }}", flowId: child.id, onItemError: "collect" })] }, {}],
      [
        {
          nodes: [node("delay", "delay", { ms: 50 }), transform("late", "$execution.startedAt")],
          edges: [edge("delay", "late")],
        },
        {},
      ],
      [
        {
          nodes: [node("wait", "wait", { timeoutMs: 200 }), transform("late", "$node.output.timedOutAt")],
          edges: [edge("wait", "late", "timeout")],
        },
        {},
      ],
      [
        {
          nodes: [transform("breaks", "$trigger.body.missing.x"), transform("never", "1")],
          edges: [edge("breaks", "never")],
        },
        {},
      ],
      [
        {
          nodes: [
            transform("breaks", "$trigger.body.missing.x", { onError: "continue" }),
            transform("code", "$node.output.error.code"),
          ],
          edges: [edge("breaks", "code")],
        },
        {},
      ],
      [
        {
          nodes: [
            node("gone", "http-request", { url: `${sink.url}/x`, retry: { maxRetries: 1, retryDelay: 1 }, body: null }),
            node("stop", "stop", { output: 1 }),
          ],
          edges: [edge("gone", "stop")],
        },
        {},
      ],
      [
        {
          nodes: [
            node("code", "code", { code: "return [Math.random(), new Date().toISOString(), $trigger.body.n]" }),
            node("answer", "respond", { status: 201, body: "{{ $node.output[2] }}" }),
          ],
          edges: [edge("code", "answer")],
        },
        { n: 7 },
      ],
    ];
    for (const [definition, data] of flows) {
      const flow = await createFlow(definition);
      const { executionId } = await execute(flow.id, data);
      await ended(executionId);
      const received = sink.received.length;
      const made = await make(flow.id, { fromExecutionId: executionId });
      expect([made.status, made.text]).toEqual([201, made.text]);
      for (let turn = 0; turn < 5; turn += 1) {
        const { passed, failed, results } = await run(flow.id);
        expect([passed, failed, results[0]?.problems]).toEqual([1, 0, []]);
      }
      expect(sink.received.length).toBe(received);
    }
  });

  it("finds one changed constant, and names the node and both values", async () => {
    const sink = await countingServer(() => ({ body: { id: 17 } }));
    const nodes = [
      pay(sink.url),
      transform("sum", "$node.output.body.id + 1"),
      node("note", "log", { message: "done" }),
    ];
    const edges = [edge("pay", "sum"), edge("sum", "note")];
    const flow = await createFlow({ nodes, edges });
    const { executionId } = await execute(flow.id, { n: 21 });
    await ended(executionId);
    const { data: test } = await make(flow.id, { fromExecutionId: executionId, name: "Seventeen" });
    expect(test).toMatchObject({ name: "Seventeen", lastResult: null });
    expect(test.expect.nodes.pay?.request).toMatchObject({ method: "POST", body: { amount: 42 } });

    const with3 = nodes.map((item) =>
      item.id === "pay" ? pay(sink.url, { body: { amount: "{{ $trigger.body.n * 3 }}" } }) : item,
    );
    const changed = await run(flow.id, { definition: { nodes: with3, edges } });
    expect(changed.results[0]).toMatchObject({
      status: "failed",
      problems: [{ path: "nodes.pay.request.body.amount", nodeId: "pay", expected: 42, actual: 63 }],
    });
    const louder = nodes.map((item) => (item.id === "note" ? node("note", "log", { message: "DONE" }) : item));
    expect((await run(flow.id, { definition: { nodes: louder, edges } })).results[0]?.problems[0]?.nodeId).toBe("note");

    await patch(`/flows/${flow.id}`, {
      nodes: nodes.map((item) => (item.id === "sum" ? transform("sum", "2") : item)),
    });
    expect(await run(flow.id, { version: 1 })).toMatchObject({ passed: 1, failed: 0 });
    expect((await get<Test>(`/flows/${flow.id}/tests/${test.id}`)).data.lastResult).toMatchObject({
      status: "passed",
      version: 1,
    });
    expect((await run(flow.id)).results[0]?.problems[0]).toMatchObject({ path: "nodes.sum.output", nodeId: "sum" });
    const ignoring = { expect: { ...test.expect, ignore: ["nodes.sum.output", "nodes.note", "output"] } };
    await patch(`/flows/${flow.id}/tests/${test.id}`, ignoring);
    expect(await run(flow.id)).toMatchObject({ passed: 1 });
    expect(sink.received).toHaveLength(1);
  });

  it("is made of an ended run of this very flow only", async () => {
    const flow = await createFlow({ nodes: [transform("a", "1")] });
    const other = await createFlow({ nodes: [transform("a", "1")] });
    const { executionId } = await execute(other.id);
    await ended(executionId);
    for (const fromExecutionId of [executionId, "exec_nothing", "a\u0000b"]) {
      expectRefusal(await make(flow.id, { fromExecutionId }), 400, "VALIDATION_ERROR");
    }
    const mixed = await make(other.id, { fromExecutionId: executionId, recordings: {} });
    expect(mixed.error?.details).toHaveProperty("recordings");
  });
});

describe("a test by hand", () => {
  it("fails with NOT_RECORDED where a node would reach the outside, and never calls it", async () => {
    const sink = await countingServer();
    const flow = await createFlow({ nodes: [pay(sink.url)] });
    await make(flow.id, { name: "Without a recording" });
    const { results } = await run(flow.id);
    expect(results[0]).toMatchObject({ status: "failed", notRecorded: ["pay"] });
    expect(results[0]?.problems[0]?.message).toContain("NOT_RECORDED");
    expect(sink.received).toEqual([]);
  });

  it("is read strictly, listed, changed under If-Match and deleted", async () => {
    const flow = await createFlow({ nodes: [transform("a", "$trigger.body.n")] });
    for (const [body, field] of [
      [{}, "name"],
      [{ name: "x", now: "9999-12-31T23:59:59-23:59" }, "now"],
      [{ name: "x", now: "2026-02-30T10:00:00Z" }, "now"],
      [{ name: "x", recordings: { a: { sequence: [] } } }, "recordings.a"],
      [{ name: "x", recordings: { a: { error: { code: 1 } } } }, "recordings.a"],
      [{ name: "x", expect: { status: "odd" } }, "expect.status"],
      [{ name: "x", trigger: [] }, "trigger"],
    ] as const) {
      const refused = await make(flow.id, body);
      expect([refused.status, Object.keys(refused.error?.details ?? {})]).toEqual([400, [field]]);
    }
    const odd = { n: "a\u0000b\ud800" };
    const made = await make(flow.id, { name: "Odd text", trigger: { body: odd }, expect: { output: odd.n } });
    expect([made.status, made.headers.get("etag")]).toEqual([201, '"1"']);
    expect(await run(flow.id)).toMatchObject({ passed: 1 });
    const path = `/flows/${flow.id}/tests/${made.data.id}`;
    expect((await get<Test[]>(`/flows/${flow.id}/tests`)).data).toHaveLength(1);
    const changed = (version: string) => call("PATCH", path, { name: "Odder" }, { headers: { "if-match": version } });
    expect((await changed('"1"')).headers.get("etag")).toBe('"2"');
    expectRefusal(await changed('"1"'), 409, "CONFLICT");
    for (const same of [{}, { name: "Odder" }, { expect: { output: odd.n, status: "completed" } }]) {
      expect((await call("PATCH", path, same)).headers.get("etag")).toBe('"2"');
    }
    expectRefusal(
      (await call("DELETE", path, undefined, { headers: { "if-match": '"1"' } })) as Answer,
      409,
      "CONFLICT",
    );
    expect((await call("DELETE", path)).status).toBe(204);
    expectRefusal(await get(path), 404, "NOT_FOUND");
  });

  it("may have as many characters as JSON as its limit says, in numbers too", async () => {
    const { id } = await createFlow({ nodes: [transform("a", "1")] });
    const ones = Array.from({ length: 510_000 }, () => 1);
    expect((await post(`/flows/${id}/tests`, { name: "Ones", trigger: { body: { ones } } })).status).toBe(201);
  });

  it("is made once under an Idempotency-Key", async () => {
    const flow = await createFlow({ nodes: [] });
    const headers = { "idempotency-key": `test ${flow.id}` };
    const answers = [1, 2].map(() => call<Test>("POST", `/flows/${flow.id}/tests`, { name: "Once" }, { headers }));
    for (const answer of await Promise.all(answers)) expect([201, 409]).toContain(answer.status);
    expect((await get<Test[]>(`/flows/${flow.id}/tests`)).data).toHaveLength(1);
  });

  it("makes its result its expectation when that is accepted, under If-Match", async () => {
    const flow = await createFlow({ nodes: [transform("a", "1")] });
    const { data } = await make(flow.id, { name: "One", expect: { output: 2 } });
    const at = `/flows/${flow.id}/tests/${data.id}/accept`;
    expect(await run(flow.id)).toMatchObject({ failed: 1 });
    expectRefusal(await call("POST", at, {}, { headers: { "if-match": '"7"' } }), 409, "CONFLICT");
    expect((await post<Test>(at)).data.expect).toEqual({ status: "completed", output: 1 });
    expect(await run(flow.id)).toMatchObject({ passed: 1 });
    const calling = { definition: { nodes: [pay("https://api.test/")] } };
    expectRefusal(await post(at, calling), 400, "VALIDATION_ERROR");
    expectRefusal(await post(`/flows/${flow.id}/tests/test_nothing/accept`, {}), 404, "NOT_FOUND");
  });

  it("that never ends is stopped in time, and blocks nobody", async () => {
    const flow = await createFlow({ nodes: [transform("endless", "(() => { for (;;); })()")] });
    await make(flow.id, { name: "Endless", expect: { status: "failed" } });
    expect(await run(flow.id)).toMatchObject({ passed: 1 });
  });

  it("refuses a version that is not there, both at once, and tests of another flow", async () => {
    const flow = await createFlow({ nodes: [transform("a", "1")] });
    const at = `/flows/${flow.id}/tests/run`;
    expectRefusal(await post(at, { version: 99 }), 404, "NOT_FOUND");
    expectRefusal(await post(at, { version: 1, definition: { nodes: [] } }), 400, "VALIDATION_ERROR");
    expectRefusal(await post(at, { testIds: ["test_nothing"] }), 400, "VALIDATION_ERROR");
    const invalid = { nodes: [transform("a", "1"), transform("a", "2")] };
    expectRefusal(await post(at, { definition: invalid }), 400, "VALIDATION_ERROR");
  });
});

describe("tests travel with their flow", () => {
  it("by export, import and duplicate", async () => {
    const flow = await createFlow({ nodes: [transform("a", "$trigger.body.n + 1")] });
    await make(flow.id, { name: "First", trigger: { body: { n: 1 } }, expect: { output: 2 } });
    await make(flow.id, { name: "Second", trigger: { body: { n: 2 } }, expect: { output: 3 } });
    const copy = await post<{ id: string }>(`/flows/${flow.id}/duplicate`, {});
    expect(await run(copy.data.id)).toMatchObject({ passed: 2, failed: 0 });
    const document: unknown = JSON.parse((await get(`/flows/${flow.id}/export`)).text);
    expect(document).toMatchObject({ tests: [{ name: "First" }, { name: "Second", expect: { output: 3 } }] });
    const imported = await post<{ id: string }>("/flows/import", { data: document });
    expect(await run(imported.data.id)).toMatchObject({ passed: 2 });
    const withInvalidTest = { ...(document as object), tests: [{ name: "x", recordings: 1 }] };
    const refused = await post("/flows/import", { data: withInvalidTest });
    expect(refused.error?.details).toHaveProperty("data.tests[0].recordings");
  });
});

describe("a flow that asks for passing tests", () => {
  it("does not become active while one fails, nor change while it is", async () => {
    const flow = await createFlow({ nodes: [transform("a", "1")], settings: { tests: { requiredToActivate: true } } });
    const { data: test } = await make(flow.id, { name: "Two", expect: { output: 2 } });
    const refused = await patch(`/flows/${flow.id}`, { status: "active" });
    expectRefusal(refused, 400, "VALIDATION_ERROR");
    expect(refused.error?.details).toHaveProperty(`tests.${test.id}`);
    expect((await patch(`/flows/${flow.id}`, { status: "active", nodes: [transform("a", "2")] })).status).toBe(200);
    expectRefusal(await patch(`/flows/${flow.id}`, { nodes: [transform("a", "3")] }), 400, "VALIDATION_ERROR");
    expect((await patch(`/flows/${flow.id}`, { name: "Renamed" })).status).toBe(200);
    const free = { nodes: [transform("a", "3")], settings: null };
    expect((await patch(`/flows/${flow.id}`, free)).status).toBe(200);
  });
});
