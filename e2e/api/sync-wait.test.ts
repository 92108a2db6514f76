import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { get, post, send } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { minimalFlow, node, type TestExecution, type TestFlow, type TestRun, transform } from "#e2e/support/flows.ts";
import { expectRefusal } from "#e2e/support/refusals.ts";
import { type RunningServer, startServer } from "#e2e/support/server.ts";

let server: RunningServer;
let at: { base: string; key: string };
beforeAll(async () => {
  server = await startServer({
    env: {
      SYNC_WAIT_MS: "300",
      EXECUTION_CONCURRENCY: "1",
      QUEUE_MAX: "3",
      MAX_BODY_BYTES: "4096",
      EXPRESSION_CPU_MS: "40",
      RESULT_MAX_BYTES: "2048",
    },
  });
  at = { base: `${server.url}/api/v1`, key: server.apiKey };
}, 240_000);
afterAll(() => server?.stop());

const createFlow = async (nodes: unknown[]) => (await post<TestFlow>("/flows", { ...minimalFlow, nodes }, at)).data;
const execution = async (id: string) => (await get<TestExecution>(`/executions/${id}`, at)).data;
const until = (id: string, status: string) =>
  eventually(`${id} is ${status}`, async () => ((await execution(id)).status === status ? true : undefined));

describe("a run that outlives its caller's wait", () => {
  // Proves flows.execute.sync-long
  it("is answered with 202 like an async one, and continues", async () => {
    const sink = await countingServer(() => "hold");
    const flow = await createFlow([node("call", "http-request", { url: sink.url })]);
    const { status, data } = await post<TestRun>(`/flows/${flow.id}/execute`, { async: false }, at);
    expect(status).toBe(202);
    expect(data).toEqual({
      executionId: data.executionId,
      flowId: flow.id,
      status: "running",
      startedAt: data.startedAt,
    });
    expect((await execution(data.executionId)).status).toBe("running");
    sink.release();
    await until(data.executionId, "completed");
    expect(sink.received).toHaveLength(1);
  });

  // Proves trigger-urls.long-run
  it("of a trigger URL is answered with a bare 202", async () => {
    const sink = await countingServer(() => "hold");
    const { trigger } = await createFlow([node("call", "http-request", { url: sink.url })]);
    const answer = await send("POST", "", undefined, { base: trigger.config.url, key: null });
    const executionId = answer.headers.get("x-execution-id") ?? "";
    expect([answer.status, answer.body]).toEqual([202, { executionId, status: "running" }]);
    sink.release();
    await until(executionId, "completed");
  });
});

describe("a queued run", () => {
  it("of a limited flow is answered with 202 if it does not end in time", async () => {
    const sink = await countingServer(() => "hold");
    const nodes = [node("call", "http-request", { url: sink.url })];
    const flow = (await post<TestFlow>("/flows", { ...minimalFlow, nodes, settings: { concurrency: {} } }, at)).data;
    const [first, second] = await Promise.all(
      [1, 2].map(() => post<TestRun>(`/flows/${flow.id}/execute`, { async: false }, at)),
    );
    expect([first?.status, second?.status]).toEqual([202, 202]);
    expect(sink.received).toHaveLength(1);
    for (const count of [1, 2]) {
      await sink.until(count);
      sink.release();
    }
    for (const answer of [first, second]) await until(answer?.data.executionId ?? "", "completed");
  });

  // Proves configuration.limits, execution-status.pending, executions.cancel.pending
  it("is pending until a worker has it, though execute says running, and can be cancelled", async () => {
    const sink = await countingServer(() => "hold");
    const busy = await createFlow([node("call", "http-request", { url: sink.url })]);
    const first = await post<TestRun>(`/flows/${busy.id}/execute`, {}, at);
    await sink.until(1);
    const other = await createFlow([transform("t", "1")]);
    const [second, third] = [
      await post<TestRun>(`/flows/${other.id}/execute`, {}, at),
      await post<TestRun>(`/flows/${other.id}/execute`, {}, at),
    ];
    expect(second.data.status).toBe("running");
    const { data } = await get<TestExecution[]>("/executions?status=pending", at);
    expect(data.map(({ id }) => id).toSorted()).toEqual([second.data.executionId, third.data.executionId].toSorted());
    expect((await execution(second.data.executionId)).nodes).toMatchObject([{ status: "pending" }]);
    expect((await post(`/executions/${second.data.executionId}/cancel`, {}, at)).status).toBe(200);
    sink.release();
    await until(first.data.executionId, "completed");
    await until(third.data.executionId, "completed");
    expect(await execution(second.data.executionId)).toMatchObject({
      status: "cancelled",
      nodesExecuted: 0,
      nodes: [{ status: "skipped" }],
    });
  });
});

describe("a full queue", () => {
  // Proves errors.queue-full
  it("answers 503 with a time to retry; queued runs are done, and then there is room", async () => {
    const sink = await countingServer((index) => (index === 0 ? "hold" : {}));
    const { id } = await createFlow([node("call", "http-request", { url: sink.url })]);
    const start = () => post<TestRun>(`/flows/${id}/execute`, {}, at);
    const first = await start();
    await until(first.data.executionId, "running");
    const answers = [first, await start(), await start(), await start(), await start(), await start()];
    const refused = answers.filter(({ status }) => status !== 202);
    expect(refused.length).toBeGreaterThanOrEqual(2);
    for (const answer of refused) {
      expectRefusal(answer, 503, "SERVICE_UNAVAILABLE");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    sink.release();
    for (const { data } of answers.filter(({ status }) => status === 202)) await until(data.executionId, "completed");
    await eventually("there is room", async () => ((await start()).status === 202 ? true : undefined));
  });
});

describe("limits are settings", () => {
  // Proves configuration.limits
  it("of a request's body, and of a trigger's", async () => {
    const { trigger } = await createFlow([]);
    const url = trigger.config.url;
    const text = { key: null, headers: { "content-type": "text/plain" }, base: url };
    expect((await send("POST", "", "x".repeat(4_096), text)).status).toBe(200);
    expectRefusal(await send("POST", "", "x".repeat(4_097), text), 413, "PAYLOAD_TOO_LARGE");
    expectRefusal(await post("/flows", { ...minimalFlow, pad: "x".repeat(4_096) }, at), 413, "PAYLOAD_TOO_LARGE");
  });

  // Proves configuration.limits
  it.each([
    ["time", "(() => { for (;;); })()", /40 ms/],
    ["results", "'x'.repeat(3000)", /2 KiB/],
  ])("of an expression's %s", async (_, program, message) => {
    const { id } = await createFlow([transform("t", program)]);
    const { data } = await post<TestRun>(`/flows/${id}/execute`, { async: false }, at);
    await until(data.executionId, "failed");
    expect((await execution(data.executionId)).error?.message).toMatch(message);
  });
});
