import { describe, expect, it } from "vitest";
import { get, patch, post } from "#e2e/support/api-client.ts";
import { type CountingServer, countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { createFlow, ended, execute, node, readExecution, start, type TestRun, transform } from "#e2e/support/flows.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

type Concurrency = { limit?: number; key?: string; policy?: string };

/** A flow of one call that is held, under this limit. */
async function limitedFlow(concurrency: Concurrency, reply: "hold" | undefined = "hold") {
  const sink = await countingServer(() => reply ?? {});
  const nodes = [node("call", "http-request", { url: `${sink.url}/{{ $trigger.body.n }}` })];
  return { sink, flow: await createFlow({ nodes, settings: { concurrency } }) };
}

const urls = ({ received }: CountingServer) => received.map(({ url }) => url);
const statusOf = async (id: string) => (await readExecution(id)).status;
const until = (id: string, status: string) =>
  eventually(`${id} is ${status}`, async () => ((await statusOf(id)) === status ? true : undefined));

describe("queue", () => {
  // Proves flow.concurrency
  it("runs wait for their turn, and start one after the other in order of arrival", async () => {
    const { sink, flow } = await limitedFlow({ limit: 1, policy: "queue" });
    const ids: string[] = [];
    for (const n of [0, 1, 2]) ids.push(await start(flow.id, { n }));
    for (const n of [0, 1, 2]) {
      await sink.until(n + 1);
      expect(urls(sink)).toEqual([0, 1, 2].slice(0, n + 1).map((m) => `/${m}`));
      expect(await Promise.all(ids.slice(n + 1).map(statusOf))).toEqual(ids.slice(n + 1).map(() => "pending"));
      sink.release();
      await until(ids[n] ?? "", "completed");
    }
  });

  it("applies to synchronous runs: each is answered when it has ended", async () => {
    const nodes = [node("pause", "delay", { ms: 30 }), transform("t", "$trigger.body.n * 2")];
    const edges = [{ source: "pause", target: "t" }];
    const flow = await createFlow({ nodes, edges, settings: { concurrency: { limit: 1 } } });
    const runs = await Promise.all([1, 2, 3, 4].map((n) => execute(flow.id, { n })));
    expect(runs.map(({ output }) => output)).toEqual([2, 4, 6, 8]);
    expect(runs[0]?.nodes.map(({ nodeId, status }) => [nodeId, status])).toEqual([
      ["pause", "completed"],
      ["t", "completed"],
    ]);
    const times = runs.map((run) => [run.startedAt, run.completedAt]).toSorted();
    expect(new Set(times.map(([, completedAt]) => completedAt)).size).toBe(4);
  });

  it("applies to calls of the trigger URL, and the answer has the flow's form", async () => {
    const respond = node("r", "respond", { status: 201, headers: { "x-n": "{{ $trigger.body.n }}" }, body: "made" });
    const flow = await createFlow({ nodes: [respond], settings: { concurrency: { limit: 1 } } });
    const call = (n: number) => post("", { n }, { base: flow.trigger.config.url, key: null });
    const answers = await Promise.all([1, 2, 3].map(call));
    expect(answers.map(({ status, headers, body }) => [status, headers.get("x-n"), body])).toEqual(
      ["1", "2", "3"].map((n) => [201, n, "made"]),
    );
  });

  // Proves flow.concurrency
  it("applies to each key separately", async () => {
    for (const key of ["$trigger.body.customer.id", "customer {{ $trigger.body.customer.id }}"]) {
      const { sink, flow } = await limitedFlow({ limit: 1, key });
      const ids = [
        await start(flow.id, { n: "a1", customer: { id: "a" } }),
        await start(flow.id, { n: "a2", customer: { id: "a" } }),
        await start(flow.id, { n: "b1", customer: { id: "b" } }),
      ];
      await sink.until(2);
      expect(urls(sink).toSorted()).toEqual(["/a1", "/b1"]);
      expect(await statusOf(ids[1] ?? "")).toBe("pending");
      sink.release();
      await sink.until(3);
      sink.release();
      await until(ids[1] ?? "", "completed");
    }
  });

  it("releases waiting runs once the flow has no limit any more", async () => {
    const { sink, flow } = await limitedFlow({ limit: 1 });
    const ids = [await start(flow.id, { n: 1 }), await start(flow.id, { n: 2 })];
    await sink.until(1);
    await patch(`/flows/${flow.id}`, { settings: null });
    await sink.until(2);
    sink.release();
    for (const id of ids) await until(id, "completed");
  });

  it("counts no run whose key fails to evaluate: it is recorded, and fails with the reason", async () => {
    const { sink, flow } = await limitedFlow({ key: "$trigger.body.customer.id" });
    const run = await ended(await start(flow.id, { n: 1 }));
    expect(run).toMatchObject({ status: "failed", error: { code: "EXPRESSION_FAILED", nodeId: null } });
    expect(run.error?.message).toMatch(/^settings\.concurrency\.key: /);
    expect((await post<TestRun>(`/flows/${flow.id}/execute`, { async: false })).data.status).toBe("failed");
    expect(sink.received).toEqual([]);
  });
});

describe("skip", () => {
  // Proves flow.concurrency
  it("ends a run beyond the limit as cancelled, with the reason", async () => {
    const { sink, flow } = await limitedFlow({ limit: 1, policy: "skip" });
    const first = await start(flow.id, { n: 1 });
    await sink.until(1);
    const second = await ended(await start(flow.id, { n: 2 }));
    expect(second).toMatchObject({ status: "cancelled", nodesExecuted: 0 });
    expect(second.reason).toMatch(/^Skipped: 1 run of the flow/);
    sink.release();
    await until(first, "completed");
    expect(urls(sink)).toEqual(["/1"]);
  });

  it("answers the trigger URL's caller 409 CONCURRENCY_LIMIT, with the run's id", async () => {
    const { sink, flow } = await limitedFlow({ limit: 1, policy: "skip" });
    const first = await start(flow.id, { n: 1 });
    await sink.until(1);
    const answer = await post("", { n: 2 }, { base: flow.trigger.config.url, key: null });
    expectRefusal(answer, 409, "CONCURRENCY_LIMIT");
    const executionId = answer.headers.get("x-execution-id") ?? "";
    expect(answer.error).toMatchObject({ message: expect.stringMatching(/^Skipped: 1 run/), details: { executionId } });
    expect(answer.headers.get("retry-after")).toBeNull();
    expect(await statusOf(executionId)).toBe("cancelled");
    sink.release();
    await until(first, "completed");
  });

  it("answers a synchronous `execute` with the same 409", async () => {
    const { sink, flow } = await limitedFlow({ limit: 1, policy: "skip" });
    const first = await start(flow.id, { n: 1 });
    await sink.until(1);
    const answer = await post(`/flows/${flow.id}/execute`, { data: { n: 2 }, async: false });
    expectRefusal(answer, 409, "CONCURRENCY_LIMIT");
    const { executionId } = answer.error.details as { executionId: string };
    expect(answer.error.message).toMatch(/^Skipped: 1 run/);
    expect(await statusOf(executionId)).toBe("cancelled");
    sink.release();
    await until(first, "completed");
  });

  it("does not hide that somebody cancelled a run", async () => {
    const { sink, flow } = await limitedFlow({ limit: 1, policy: "skip" });
    const called = post("", { n: 1 }, { base: flow.trigger.config.url, key: null });
    await sink.until(1);
    const [run] = (await get<{ id: string }[]>(`/executions?flowId=${flow.id}`)).data;
    await post(`/executions/${run?.id}/cancel`, { reason: "by hand" });
    expectRefusal(await called, 500, "EXECUTION_FAILED");
  });
});

describe("cancel-previous", () => {
  it("answers the ended run's caller 409 CONCURRENCY_LIMIT", async () => {
    const { sink, flow } = await limitedFlow({ policy: "cancel-previous" });
    const called = post("", { n: 1 }, { base: flow.trigger.config.url, key: null });
    await sink.until(1);
    const second = await start(flow.id, { n: 2 });
    const answer = await called;
    expectRefusal(answer, 409, "CONCURRENCY_LIMIT");
    expect(answer.error.message).toMatch(/newer/);
    await sink.until(2);
    sink.release();
    await until(second, "completed");
  });

  // Proves flow.concurrency
  it("ends the run in progress, and aborts its request", async () => {
    const { sink, flow } = await limitedFlow({ policy: "cancel-previous" });
    const first = await start(flow.id, { n: 1 });
    await sink.until(1);
    const second = await start(flow.id, { n: 2 });
    await sink.until(2);
    expect(await readExecution(first)).toMatchObject({ status: "cancelled", reason: expect.stringMatching(/newer/) });
    await eventually("the call is aborted", () => (sink.aborted() === 1 ? true : undefined));
    sink.release();
    await until(second, "completed");
  });
});

describe("a flow that runs itself", () => {
  it.each(["queue", "skip"])(
    "under a limit of 1 and %s fails at once at the node that would wait forever",
    async (policy) => {
      const flow = await createFlow({ settings: { concurrency: { limit: 1, policy } } });
      const again = node("again", "sub-flow", { flowId: flow.id });
      await patch(`/flows/${flow.id}`, { nodes: [again], edges: [] });
      const run = await execute(flow.id);
      expect(run).toMatchObject({ status: "failed", error: { nodeId: "again", code: "SUB_FLOW_FAILED" } });
      expect(run.error?.message).toMatch(policy === "skip" ? /concurrency policy is "skip"/ : /would never have begun/);
    },
  );

  it("waits for its turn while a slot is held only temporarily", async () => {
    const { sink, flow } = await limitedFlow({ limit: 2 });
    const call = node("call", "http-request", { url: `${sink.url}/{{ $trigger.body.n }}` });
    const isOuter = node("outer", "if-else", { condition: "$trigger.body.outer === true" });
    const again = node("again", "sub-flow", { flowId: flow.id, data: { n: "inner" } });
    const edges = [
      { source: "outer", target: "again", sourceHandle: "true" },
      { source: "outer", target: "call", sourceHandle: "false" },
    ];
    await patch(`/flows/${flow.id}`, { nodes: [isOuter, again, call], edges });
    const other = await start(flow.id, { n: "other" });
    await sink.until(1);
    const outer = await start(flow.id, { outer: true });
    await eventually("the inner run waits", async () => {
      const { pagination } = await get<TestRun[]>(`/executions?flowId=${flow.id}&status=pending`);
      return pagination.total === 1 ? true : undefined;
    });
    sink.release();
    await until(other, "completed");
    await sink.until(2);
    sink.release();
    await until(outer, "completed");
  });
});

describe("an invalid limit", () => {
  it("is refused when the flow is created", async () => {
    const make = (concurrency: unknown) =>
      post("/flows", { name: "x", trigger: { type: "manual" }, nodes: [], settings: { concurrency } });
    expectInvalid(await make({ limit: 0 }), "settings.concurrency.limit");
    expectInvalid(await make({ policy: "maybe" }), "settings.concurrency.policy");
  });

  it("with an unparsable key prevents activation", async () => {
    const flow = await createFlow({ settings: { concurrency: { key: "{{ $trigger.body. }}" } } });
    expectInvalid(await patch(`/flows/${flow.id}`, { status: "active" }), "settings.concurrency.key");
  });
});

describe("a busy flow", () => {
  it("keeps no other from its turn, though its own runs hold all slots that it may have", async () => {
    const { sink, flow } = await limitedFlow({ limit: 10_000 });
    await patch(`/flows/${flow.id}`, { settings: null });
    const ids = await Promise.all(Array.from({ length: 70 }, (_, n) => start(flow.id, { n })));
    await sink.until(45);
    const other = await createFlow({ nodes: [transform("t", "1")] });
    expect(await ended(await start(other.id))).toMatchObject({ status: "completed", output: 1 });
    expect(sink.received.length).toBeLessThan(70);
    const releasing = setInterval(() => sink.release(), 20);
    for (const id of ids) await until(id, "completed");
    clearInterval(releasing);
  });
});
