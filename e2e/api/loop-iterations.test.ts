// What each iteration of a loop did, read afterwards.
import { describe, expect, it } from "vitest";
import type { LoopIteration, ReadIteration } from "#lib/contract/executions/iterations.ts";
import { get, post } from "../support/api-client.ts";
import { eventually } from "../support/eventually.ts";
import { createFlow, edge, ended, execute, node, readExecution, start, transform } from "../support/flows.ts";
import { expectRefusal } from "../support/refusals.ts";

type Json = Record<string, unknown>;

const loop = (id: string, items: string, nodes: Json[], edges: Json[] = [], config: Json = {}) =>
  node(id, "loop", { items, body: { nodes, edges }, ...config });
const list = (executionId: string, nodeId: string, query = "") =>
  get<LoopIteration[]>(`/executions/${executionId}/nodes/${nodeId}/iterations${query}`);
const read = (executionId: string, nodeId: string, iteration: string) =>
  get<ReadIteration>(`/executions/${executionId}/nodes/${nodeId}/iterations/${iteration}`);
const loopOf = async (executionId: string) =>
  (await readExecution(executionId)).nodes.find(({ nodeId }) => nodeId === "each");

describe("GET /executions/:id/nodes/:nodeId/iterations", () => {
  it("200: the iterations in the items' order, in pages, with their status, and by status", async () => {
    const nodes = [
      transform("check", "if ($item === 2) throw new Error('two'); return $item"),
      transform("after", "$node.output + 1"),
    ];
    const flow = await createFlow({
      nodes: [loop("each", "$trigger.body.items", nodes, [edge("check", "after")], { onItemError: "collect" })],
    });
    const items = Array.from({ length: 12 }, (_, index) => index);
    const { executionId } = await execute(flow.id, { items });

    const first = await list(executionId, "each", "?limit=10");
    expect(first.data.map(({ iteration, status }) => `${iteration} ${status}`).slice(0, 4)).toEqual([
      "0 completed",
      "1 completed",
      "2 failed",
      "3 completed",
    ]);
    expect(first.data[0]).toMatchObject({ nodesExecuted: 2, duration: expect.any(Number) });
    expect(first.data[2]?.nodesExecuted).toBe(1);
    expect(first.pagination).toMatchObject({ total: 12, totalPages: 2, hasNext: true });
    const second = await list(executionId, "each", "?limit=10&page=2");
    expect(second.data.map(({ iteration }) => iteration)).toEqual(["10", "11"]);
    const failed = await list(executionId, "each", "?status=failed");
    expect(failed.data.map(({ iteration }) => iteration)).toEqual(["2"]);
    const [loopNode] = (await readExecution(executionId)).nodes;
    expect(loopNode).toMatchObject({ nodeId: "each", iterations: 12 });
  });

  it("a failure that an `error` edge catches leaves its iteration completed", async () => {
    const nodes = [transform("risky", "throw new Error('no')"), transform("instead", "'instead'")];
    const flow = await createFlow({ nodes: [loop("each", "[1]", nodes, [edge("risky", "instead", "error")])] });
    const { executionId } = await execute(flow.id);
    expect((await list(executionId, "each")).data.map(({ status }) => status)).toEqual(["completed"]);
  });

  it("a nested loop has iterations per outer iteration; `within` selects one of them", async () => {
    const inner = loop("inner", "$item", [transform("double", "$item * 2")]);
    const flow = await createFlow({ nodes: [loop("outer", "[[1, 2], [3]]", [inner])] });
    const { executionId } = await execute(flow.id);
    const turns = async (query = "") =>
      (await list(executionId, "inner", query)).data.map(({ iteration }) => iteration);
    expect(await turns()).toEqual(["0.0", "0.1", "1.0"]);
    expect(await turns("?within=0")).toEqual(["0.0", "0.1"]);
    expect((await read(executionId, "inner", "1.0")).data.nodes).toMatchObject([{ nodeId: "double", output: 6 }]);
    expectRefusal(await list(executionId, "inner", "?within=x"), 400, "VALIDATION_ERROR");
  });

  it("one that waits says for what and until when, as its nodes do; one that also works does not", async () => {
    const nodes = [node("hold", "delay", { ms: "{{ $item }}" })];
    const flow = await createFlow({ nodes: [loop("each", "[1, 3600000]", nodes, [], { concurrency: 2 })] });
    const executionId = await start(flow.id);
    const shown = await eventually("the second item waits", async () => {
      const { data } = await list(executionId, "each");
      return data.at(1)?.waitingFor === undefined || data.at(0)?.status !== "completed" ? undefined : data;
    });
    const waits = { status: "running", waitingFor: "time", waitingUntil: expect.any(String) };
    expect(shown).toMatchObject([{ status: "completed" }, waits]);
    expect(shown[0]?.waitingFor).toBeUndefined();
    const { data } = await read(executionId, "each", "1");
    expect(data).toMatchObject({ ...waits, nodes: [waits] });
    expect(data.waitingUntil).toBe(shown[1]?.waitingUntil);
    // So does the loop itself: nothing else in it is in progress.
    expect(await loopOf(executionId)).toMatchObject({ ...waits, waitingUntil: data.waitingUntil });
    await post(`/executions/${executionId}/cancel`, {});
    const [, cancelled] = (await list(executionId, "each")).data;
    expect([cancelled?.status, cancelled?.waitingFor]).toEqual(["cancelled", undefined]);
    expect((await loopOf(executionId))?.waitingFor).toBeUndefined();
  });

  it("a loop with an item that works does not wait, whatever the others do", async () => {
    const choose = node("which", "if-else", { condition: "$item === 0" });
    const nodes = [choose, node("ask", "wait", {}), node("work", "code", { code: "for (;;) {}", timeoutMs: 60_000 })];
    const inside = [edge("which", "ask", "true"), edge("which", "work", "false")];
    const flow = await createFlow({ nodes: [loop("each", "[0, 1]", nodes, inside, { concurrency: 2 })] });
    const executionId = await start(flow.id);
    await eventually("the first item waits, and the second works", async () => {
      const { data } = await list(executionId, "each");
      return data[0]?.waitingFor === "call" && data[1]?.status === "running" ? data : undefined;
    });
    expect(await loopOf(executionId)).toMatchObject({ status: "running" });
    expect((await loopOf(executionId))?.waitingFor).toBeUndefined();
    await post(`/executions/${executionId}/cancel`, {});
  });

  it("one whose nested loop waits says so too, unless something else in it works", async () => {
    const hold = node("hold", "delay", { ms: "{{ $item }}" });
    const inner = loop("inner", "$item", [hold], [], { concurrency: 2 });
    const flow = await createFlow({ nodes: [loop("outer", "[[3600000, 7200000]]", [inner])] });
    const executionId = await start(flow.id);
    const [outer] = await eventually("the outer item waits", async () => {
      const { data } = await list(executionId, "outer");
      return data[0]?.waitingFor === undefined ? undefined : data;
    });
    const [first] = (await list(executionId, "inner")).data;
    expect(outer).toMatchObject({ waitingFor: "time", waitingUntil: first?.waitingUntil });
    const { data } = await read(executionId, "outer", "0");
    expect(data.waitingUntil).toBe(first?.waitingUntil);
    // The nested loop, as a node of the item.
    expect(data.nodes).toMatchObject([{ nodeId: "inner", waitingFor: "time", waitingUntil: first?.waitingUntil }]);
    await post(`/executions/${executionId}/cancel`, {});
  });

  it("a node that is not a loop has none; an unknown node is 404", async () => {
    const flow = await createFlow({ nodes: [transform("a", "1")] });
    const executionId = await start(flow.id);
    await ended(executionId);
    expect((await list(executionId, "a")).data).toEqual([]);
    expectRefusal(await list(executionId, "b"), 404, "NOT_FOUND");
  });
});

describe("GET /executions/:id/nodes/:nodeId/iterations/:iteration", () => {
  it("200: every node of the body in order, with input and output; the others as skipped", async () => {
    const nodes = [
      node("big", "if-else", { condition: "$item > 10" }),
      transform("yes", "$item * 2"),
      transform("no", "'small'"),
    ];
    const edges = [edge("big", "yes", "true"), edge("big", "no", "false")];
    const flow = await createFlow({ nodes: [loop("each", "[5, 20]", nodes, edges)] });
    const { executionId } = await execute(flow.id);
    const { data } = await read(executionId, "each", "1");
    expect(data).toMatchObject({ iteration: "1", status: "completed", nodesExecuted: 2 });
    expect(data.nodes).toMatchObject([
      { nodeId: "big", status: "completed", handle: "true", input: { condition: true } },
      { nodeId: "yes", status: "completed", output: 40 },
      { nodeId: "no", status: "skipped" },
    ]);
    for (const missing of ["2", "x", "0.0"]) {
      expectRefusal(await read(executionId, "each", missing), 404, "NOT_FOUND");
    }
  });
});
