// What runs: the working copy, the published version, an older one; and nodes that are disabled.
import { describe, expect, it } from "vitest";
import { del, get, patch, post, put } from "#e2e/support/api-client.ts";
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
  type TestExecution,
  type TestFlow,
  type TestRun,
  transform,
} from "#e2e/support/flows.ts";
import { newTenant } from "#e2e/support/matrix/own-resources.ts";
import { expectInvalid } from "#e2e/support/refusals.ts";
import { subscribe, untilEvents } from "#e2e/support/webhooks.ts";

const trigger = { type: "webhook" };
const draftOf = (program: string, overrides: object = {}) => ({
  definition: { trigger, nodes: [transform("t", program)], ...overrides },
});
const live = (overrides: object = {}) =>
  createFlow({ status: "active", nodes: [transform("t", "'published'")], ...overrides });

describe("POST /flows/:id/execute", () => {
  // Proves working-copies.run
  it("runs the published version, an older one by its number, or the working copy", async () => {
    const { id } = await live();
    await patch(`/flows/${id}`, { nodes: [transform("t", "'second'")] });
    await put(`/flows/${id}/draft`, draftOf("'working copy'"));
    const output = async (version?: unknown) =>
      (await execute(id, {}, version === undefined ? {} : { version })).output;
    expect(await output()).toBe("second");
    expect(await output("published")).toBe("second");
    expect(await output(1)).toBe("published");
    expect(await output("draft")).toBe("working copy");
    const queued = await post<{ executionId: string }>(`/flows/${id}/execute`, { version: "draft" });
    expect(await ended(queued.data.executionId)).toMatchObject({ output: "working copy", draft: true });
  });

  it.each([9, 999_999_999, 2 ** 31, 2 ** 53, "draft", 0, -1, 1.5, "latest", null])(
    "refuses version %j where there is none",
    async (version) => {
      const { id } = await live();
      expectInvalid(await post(`/flows/${id}/execute`, { version }), "version");
    },
  );

  it("refuses a working copy whose graph is not sound", async () => {
    const { id } = await live();
    await put(`/flows/${id}/draft`, draftOf("1", { edges: [{ source: "t", target: "t" }] }));
    expectInvalid(await post(`/flows/${id}/execute`, { version: "draft" }), "edges[0].target");
  });

  it("takes pins for a working copy of a live flow", async () => {
    const { id } = await live();
    expectInvalid(await post(`/flows/${id}/execute`, { pins: { t: 5 } }), "pins");
    await put(`/flows/${id}/draft`, draftOf("1"));
    const { data } = await post<TestRun>(`/flows/${id}/execute`, { pins: { t: 5 }, version: "draft" });
    expect((await ended(data.executionId)).output).toBe(5);
  });

  it("waits for no run of the published version, whatever the flow's limit is", async () => {
    const nodes = [node("wait", "wait", { timeoutMs: 600_000 })];
    const { id } = await live({ nodes, settings: { concurrency: { limit: 1, policy: "cancel-previous" } } });
    const waiting = await post<TestRun>(`/flows/${id}/execute`, {});
    await put(`/flows/${id}/draft`, draftOf("'beside'"));
    expect((await execute(id, {}, { version: "draft" })).output).toBe("beside");
    expect(["pending", "running"]).toContain((await readExecution(waiting.data.executionId)).status);
    await post(`/executions/${waiting.data.executionId}/cancel`);
  });
});

// Proves working-copies.run-apart
it("runs of working copies are marked and counted nowhere, only listed", async () => {
  const own = await newTenant("Apart");
  const flow = await post<TestFlow>(
    "/flows",
    { name: "Apart", trigger, nodes: [transform("t", "1")], status: "active" },
    own,
  );
  const { id } = flow.data;
  await put(`/flows/${id}/draft`, draftOf("$trigger.body.missing.deep"), own);
  for (const version of ["published", "draft", "draft"])
    await post(`/flows/${id}/execute`, { version, async: false, metadata: { draft: "mine" } }, own);
  const list = await get<(TestExecution & { source: string })[]>(`/executions?flowId=${id}`, own);
  expect(list.pagination.total).toBe(3);
  expect(list.data.map(({ draft, status, source }) => [draft, status, source])).toEqual([
    [true, "failed", "ui"],
    [true, "failed", "ui"],
    [undefined, "completed", "api"],
  ]);
  expect((await get(`/executions?source=ui`, own)).pagination.total).toBe(2);
  expect((await get(`/executions?source=api`, own)).pagination.total).toBe(1);
  const stats = await get<{ summary: object; mostCommonErrors: object[] }>("/executions/stats", own);
  expect(stats.data.summary).toMatchObject({ totalExecutions: 1, completed: 1, failed: 0 });
  expect(stats.data.mostCommonErrors).toEqual([]);
  const overview = await get<{ current: object; errors: object[] }>("/executions/overview", own);
  expect(overview.data).toMatchObject({ current: { total: 1, failed: 0 }, errors: [] });
  const recent = await get<{ runs: object[] }[]>(`/executions/recent?flowIds=${id}`, own);
  expect(recent.data[0]?.runs).toHaveLength(1);
  expect((await get(`/flows/${id}`, own)).data).toMatchObject({ executionCount: 1 });
  // Taken out of what they never were in: nothing goes below what there is.
  for (const { id: executionId, draft } of list.data) if (draft) await del(`/executions/${executionId}`, own);
  expect((await get(`/executions?flowId=${id}`, own)).pagination.total).toBe(1);
  expect((await get(`/flows/${id}`, own)).data).toMatchObject({ executionCount: 1 });
});

// Proves working-copies.run-apart
it("a sub-flow that a run of a working copy starts is counted nowhere either, at any depth", async () => {
  const own = await newTenant("Below");
  const made = async (nodes: object[]) => {
    const { data } = await post<TestFlow>("/flows", { name: "Below", trigger, nodes, status: "active" }, own);
    return data.id;
  };
  const lowest = await made([transform("t", "$trigger.body.missing.deep")]);
  const middle = await made([node("sub", "sub-flow", { flowId: lowest })]);
  const top = await made([]);
  const nodes = [node("sub", "sub-flow", { flowId: middle })];
  await put(`/flows/${top}/draft`, { definition: { trigger, nodes } }, own);
  const runOf = async (id: string, version: string) =>
    await post<TestRun>(`/flows/${id}/execute`, { version, async: false }, own);
  expect((await runOf(top, "draft")).data).toMatchObject({ status: "failed" });
  const list = await get<(TestExecution & { source: string })[]>("/executions?source=sub-flow", own);
  expect(list.data.map(({ draft, status, source }) => [draft, status, source])).toEqual([
    [true, "failed", "sub-flow"],
    [true, "failed", "sub-flow"],
  ]);
  for (const { id, flowId } of list.data) {
    const read = await get<TestExecution>(`/executions/${id}`, own);
    expect(read.data).toMatchObject({ draft: true, flowVersion: 1, metadata: { source: "sub-flow" } });
    expect(read.data).not.toHaveProperty("draftRevision");
    expect((await get(`/flows/${flowId}`, own)).data).toMatchObject({ executionCount: 0 });
  }
  const summary = async () => (await get<{ summary: object }>("/executions/stats", own)).data.summary;
  expect(await summary()).toMatchObject({ totalExecutions: 0, failed: 0 });
  await runOf(middle, "published");
  expect(await summary()).toMatchObject({ totalExecutions: 2, failed: 2 });
  expect((await get<TestExecution[]>(`/executions?flowId=${lowest}`, own)).data[0]).not.toHaveProperty("draft");
});

// Proves working-copies.run-events
it("events of a working copy's runs, and of what these start, say so", async () => {
  const receiver = await countingServer();
  const { id: below } = await createFlow({ nodes: [transform("t", "1")] });
  const { id } = await live({ nodes: [node("sub", "sub-flow", { flowId: below })] });
  await subscribe(receiver.url);
  await execute(id);
  await put(`/flows/${id}/draft`, { definition: { trigger, nodes: [node("sub", "sub-flow", { flowId: below })] } });
  const marks = async (flowId: string, count: number) =>
    (await untilEvents(receiver, flowId, count)).map(({ event, data }) => [event, data.draft]);
  const [started, completed] = ["execution.started", "execution.completed"];
  const published = [
    [started, undefined],
    [completed, undefined],
  ];
  for (const flowId of [id, below]) expect(await marks(flowId, 2)).toEqual(published);
  await execute(id, {}, { version: "draft" });
  for (const flowId of [id, below])
    expect(await marks(flowId, 4)).toEqual([...published, [started, true], [completed, true]]);
});

// Proves working-copies.run-kept
it("a run of a working copy is shown on what ran, and runs again on what the copy is now", async () => {
  const { id } = await live();
  await put(`/flows/${id}/draft`, draftOf("'first'"));
  const first = await execute(id, {}, { version: "draft" });
  await put(`/flows/${id}/draft`, { definition: { trigger, nodes: [transform("other", "'second'")] } });
  const shown = await readExecution(first.executionId);
  expect(shown).toMatchObject({ draft: true, flowVersion: 1, draftRevision: 1, nodes: [{ nodeId: "t" }] });
  const version = await get(`/flows/${id}/versions/draft-1`);
  expect(version.data).toMatchObject({ version: 1, draft: true, isCurrent: false, nodes: [{ id: "t" }] });
  for (const other of ["draft-2", "draft-0", "draft-x", "-1"])
    expect((await get(`/flows/${id}/versions/${other}`)).status).toBe(404);
  expect((await get(`/flows/${id}/versions`)).pagination.total).toBe(1);
  const retry = () => post<TestRun>(`/executions/${first.executionId}/retry`, {});
  expect(await ended((await retry()).data.executionId)).toMatchObject({ output: "second", draft: true });
  await del(`/flows/${id}/draft`);
  expect(await ended((await retry()).data.executionId)).toMatchObject({ output: "first", draft: true });
});

describe("POST /executions/:id/retry", () => {
  const again = (id: string, body: object) => post<TestRun>(`/executions/${id}/retry`, body);

  // Proves working-copies.run-again
  it("runs the working copy, or the published version, whatever the original was a run of", async () => {
    const { id } = await live();
    const published = await execute(id);
    await put(`/flows/${id}/draft`, draftOf("'working copy'"));
    const copied = await execute(id, {}, { version: "draft" });
    const output = async (original: string, version?: string) => {
      const { data } = await again(original, { version });
      const { output: value, draft } = await ended(data.executionId);
      return [value, draft];
    };
    expect(await output(published.executionId)).toEqual(["published", undefined]);
    expect(await output(published.executionId, "draft")).toEqual(["working copy", true]);
    expect(await output(copied.executionId, "published")).toEqual(["published", undefined]);
    expect(await output(copied.executionId)).toEqual(["working copy", true]);
    const { data } = await again(published.executionId, { version: "draft", fromNode: "t", untilNode: "t" });
    expect(await ended(data.executionId)).toMatchObject({ output: "working copy", draft: true });
  });

  it.each(["draft", "latest", 1, ""])("refuses version %j where there is none", async (version) => {
    const { id } = await live();
    const { executionId } = await execute(id);
    expectInvalid(await again(executionId, { version }), "version");
  });
});

describe("a disabled node", () => {
  const off = <Node extends object>(node: Node) => ({ ...node, disabled: true });

  // Proves disabled-nodes.pass-on, disabled-nodes.unchecked
  it("passes its input on by its plain handle, and may be half-made in an active flow", async () => {
    const nodes = [
      transform("a", "2"),
      off(node("ask", "http-request")),
      off(node("if", "if-else")),
      transform("b", "$node.output * 3"),
      transform("no", "1"),
    ];
    const edges = [edge("a", "ask"), edge("ask", "if"), edge("if", "b"), edge("if", "no", "false")];
    const ended = await run(nodes, edges, {}, { status: "active" });
    expect(ended).toMatchObject({ status: "completed", output: 6 });
    expect(statuses(ended)).toEqual({
      a: "completed",
      ask: "completed",
      if: "completed",
      b: "completed",
      no: "skipped",
    });
  });

  // Proves disabled-nodes.kept
  it("stays so in versions, exports and imports; anything else than true or false is refused", async () => {
    const { id } = await createFlow({ nodes: [off(node("ask", "http-request"))] });
    const exported = (await get(`/flows/${id}/export`)).body as { version: string; flow: object };
    const imported = await post<TestFlow>("/flows/import", { data: exported });
    for (const path of [`/flows/${id}`, `/flows/${id}/versions/1`, `/flows/${imported.data.id}`])
      expect((await get<TestFlow>(path)).data.nodes).toMatchObject([{ id: "ask", disabled: true }]);
    expectInvalid(
      await patch(`/flows/${id}`, { nodes: [{ ...node("a", "log"), disabled: "yes" }] }),
      "nodes[0].disabled",
    );
    const body = await patch<TestFlow>(`/flows/${id}`, { nodes: [node("ask", "http-request")] });
    expect(body.data.nodes[0]).not.toHaveProperty("disabled");
    expect((await get<{ summary: string }[]>(`/flows/${id}/versions`)).data[0]?.summary).toBe("ask: disabled");
  });
});
