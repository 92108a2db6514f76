import { describe, expect, it } from "vitest";
import { get, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { createFlow, execute, node, start, transform } from "#e2e/support/flows.ts";
import { expectInvalid } from "#e2e/support/refusals.ts";

interface Outcome {
  readonly matched: number;
  readonly done: number;
  readonly remaining: number;
}

const bulk = async (action: string, body: object) => (await post<Outcome>(`/executions/bulk-${action}`, body)).data;
const totalOf = async (query: string) => (await get(`/executions?${query}`)).pagination.total;

describe("bulk operations", () => {
  it("cancel by filter, only open runs; a dry run counts them", async () => {
    const sink = await countingServer(() => "hold");
    const flow = await createFlow({ nodes: [node("call", "http-request", { url: sink.url })] });
    await start(flow.id);
    await start(flow.id);
    await sink.until(2);
    const filter = { flowId: flow.id };
    expect(await bulk("cancel", { filter, dryRun: true })).toEqual({ matched: 2, done: 0, remaining: 2 });
    expect(await totalOf(`flowId=${flow.id}&status=running`)).toBe(2);
    expect(await bulk("cancel", { filter })).toEqual({ matched: 2, done: 2, remaining: 0 });
    expect(await totalOf(`flowId=${flow.id}&status=cancelled`)).toBe(2);
    expect(await bulk("cancel", { filter })).toEqual({ matched: 0, done: 0, remaining: 0 });
  });

  it("retry by filter, and by id", async () => {
    const flow = await createFlow({ nodes: [transform("a", "$trigger.body.order.id")] });
    const failed = [await execute(flow.id), await execute(flow.id)];
    await execute(flow.id, { order: { id: 1 } });
    const filter = { flowId: flow.id, status: ["failed"] };
    expect(await bulk("retry", { filter, dryRun: true })).toMatchObject({ matched: 2, done: 0 });
    expect(await bulk("retry", { filter })).toEqual({ matched: 2, done: 2, remaining: 0 });
    await eventually("both fail again", async () =>
      (await totalOf(`flowId=${flow.id}&status=failed`)) === 4 ? true : undefined,
    );
    const ids = failed.map(({ executionId }) => executionId);
    expect(await bulk("retry", { executionIds: [ids[0], "exec_nothing"] })).toEqual({
      matched: 1,
      done: 1,
      remaining: 0,
    });
  });

  it("delete by the list's filters, and no others", async () => {
    const flow = await createFlow({ nodes: [transform("a", "$trigger.body.order.id")] });
    await execute(flow.id, {}, { metadata: { batch: "one" } });
    await execute(flow.id, {}, { metadata: { batch: "two" } });
    const filter = { flowId: flow.id, search: '"batch":"one"', source: ["api"] };
    expect(await bulk("delete", { filter, dryRun: true })).toMatchObject({ matched: 1, done: 0 });
    expect(await bulk("delete", { filter })).toEqual({ matched: 1, done: 1, remaining: 0 });
    expect(await totalOf(`flowId=${flow.id}`)).toBe(1);
  });

  it.each(["cancel", "retry", "delete"])("to %s must be named, by ids or by at least one condition", async (action) => {
    for (const body of [{}, { filter: {}, executionIds: ["exec_x"] }]) {
      const answer = await post(`/executions/bulk-${action}`, body);
      expect(answer.status).toBe(400);
    }
    expectInvalid(await post(`/executions/bulk-${action}`, { filter: {} }), "filter");
    // Such as a variable that was not set: not all flows.
    for (const flowId of ["", []]) {
      expectInvalid(await post(`/executions/bulk-${action}`, { filter: { flowId }, dryRun: true }), "filter.flowId");
    }
    expectInvalid(await post(`/executions/bulk-${action}`, { filter: { search: "" }, dryRun: true }), "filter.search");
    expectInvalid(await post(`/executions/bulk-${action}`, { filter: { status: ["gone"] } }), "filter.status[0]");
    expectInvalid(
      await post(`/executions/bulk-${action}`, { executionIds: Array(1_001).fill("exec_x") }),
      "executionIds",
    );
  });
});
