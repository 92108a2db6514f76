// Partial runs, and runs of a draft with pinned outputs.
import { describe, expect, it } from "vitest";
import { patch, post } from "../support/api-client.ts";
import { countingServer } from "../support/counting-server.ts";
import { createFlow, edge, ended, execute, node, outputOf, statuses, transform } from "../support/flows.ts";
import { detailsOf, expectRefusal } from "../support/refusals.ts";

type Json = Record<string, unknown>;

async function runPart(flowId: string, part: Json) {
  const answer = await post<{ executionId: string }>(`/flows/${flowId}/execute`, part);
  expect(answer.status).toBe(202);
  return await ended(answer.data.executionId, "?includeNodeOutputs=true");
}

const row = [transform("a", "1"), transform("b", "$nodes.a.output + 1"), transform("c", "$nodes.b.output + 1")];
const edges = [edge("a", "b"), edge("b", "c")];

describe("untilNode", () => {
  it("runs the node and those that lead to it, and nothing else", async () => {
    const flow = await createFlow({ nodes: [...row, transform("aside", "'no'")], edges });
    const run = await runPart(flow.id, { untilNode: "b" });
    expect(statuses(run)).toEqual({ a: "completed", b: "completed", c: "skipped", aside: "skipped" });
    expect(run.status).toBe("completed");
    expect(outputOf(run, "b")).toBe(2);
  });

  it("400 for a node that is not in the flow", async () => {
    const flow = await createFlow({ nodes: row, edges });
    expectRefusal(await post(`/flows/${flow.id}/execute`, { untilNode: "z" }), 400, "VALIDATION_ERROR");
  });

  it("400 for a retry that would have to end before the node that it starts from", async () => {
    const flow = await createFlow({ nodes: row, edges });
    const { executionId } = await execute(flow.id);
    const refused = await post(`/executions/${executionId}/retry`, { fromNode: "c", untilNode: "a" });
    expectRefusal(refused, 400, "VALIDATION_ERROR");
    expect(Object.keys(detailsOf(refused))).toEqual(["untilNode"]);
    expect((await post(`/executions/${executionId}/retry`, { fromNode: "b", untilNode: "b" })).status).toBe(202);
  });
});

describe("pins", () => {
  it("replace their nodes in a run of a draft: nothing is called", async () => {
    const server = await countingServer();
    const nodes = [
      node("call", "http-request", { url: `${server.url}/x` }),
      transform("read", "$nodes.call.output.body.n"),
    ];
    const flow = await createFlow({ nodes, edges: [edge("call", "read")] });
    const run = await runPart(flow.id, { pins: { call: { status: 200, body: { n: 7 } } } });
    expect(outputOf(run, "read")).toBe(7);
    expect(server.received).toEqual([]);
  });

  it("are refused for an active flow, for an unknown node, and for one that chooses a branch", async () => {
    const nodes = [...row, node("check", "if-else", { condition: "true" })];
    const flow = await createFlow({ nodes, edges: [...edges, edge("check", "a", "true")] });
    const refused = async (pins: Json) => detailsOf(await post(`/flows/${flow.id}/execute`, { pins }));
    expect(await refused({ z: 1 })).toMatchObject({ pins: expect.stringContaining('no node "z"') });
    expect(await refused({ check: 1 })).toMatchObject({ pins: expect.stringContaining("chooses a way") });
    await patch(`/flows/${flow.id}`, { status: "active" });
    expect(await refused({ a: 5 })).toMatchObject({ pins: expect.stringContaining("only runs of a draft") });
  });

  it("in a flow's settings do not affect its runs once it is active", async () => {
    const settings = { canvas: { pins: { a: 100 } } };
    const flow = await createFlow({ nodes: row, edges, settings, status: "active" });
    expect(outputOf(await runPart(flow.id, {}), "c")).toBe(3);
  });
});
