import { describe, expect, it } from "vitest";
import { get } from "#e2e/support/api-client.ts";
import { createFlow, execute, transform } from "#e2e/support/flows.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

interface Overview {
  readonly from: string;
  readonly to: string;
  readonly bucket: string;
  readonly current: Record<string, number | null>;
  readonly previous: Record<string, number | null>;
  readonly series: (Record<string, number> & { at: string })[];
  readonly errors: unknown[];
  readonly slowestFlows: Record<string, unknown>[];
}

const overviewOf = async (query: string) => (await get<Overview>(`/executions/overview?${query}`)).data;
const tomorrow = new Date(Date.now() + 86_400_000).toISOString();

describe("the overview of a flow", () => {
  it("counts its runs, now and in the span before, with every hour and its errors", async () => {
    const flow = await createFlow({ nodes: [transform("a", "$trigger.body.order.id")] });
    for (const order of [{ id: 1 }, { id: 2 }, { id: 3 }]) await execute(flow.id, { order });
    await execute(flow.id, {});
    const overview = await overviewOf(`flowId=${flow.id}`);
    expect(overview.current).toMatchObject({ total: 4, completed: 3, failed: 1, cancelled: 0, successRate: 75 });
    expect(overview.current.p50).toBeLessThanOrEqual(overview.current.p95 ?? 0);
    expect(overview.previous).toMatchObject({ total: 0, successRate: null, p50: null, p95: null });
    expect(overview.bucket).toBe("hour");
    expect(overview.series).toHaveLength(25);
    expect(overview.series.reduce((sum, { completed = 0 }) => sum + completed, 0)).toBe(3);
    expect(overview.series.reduce((sum, { failed = 0 }) => sum + failed, 0)).toBe(1);
    const [error] = overview.errors;
    expect(error).toMatchObject({ flowId: flow.id, flowName: flow.name, count: 1 });
    expect(overview.slowestFlows).toEqual([expect.objectContaining({ flowId: flow.id, completed: 3 })]);
  });

  it("reports runs that have ended by now in the previous span", async () => {
    const flow = await createFlow({ nodes: [transform("a", "1")] });
    await execute(flow.id);
    const later = await overviewOf(
      `flowId=${flow.id}&startDate=${new Date(Date.now() + 3_600_000).toISOString()}&endDate=${tomorrow}`,
    );
    expect([later.current.total, later.previous.total]).toEqual([0, 1]);
  });

  it("is empty for a missing flow", async () => {
    const overview = await overviewOf("flowId=flow_nobody&startDate=2026-01-01&endDate=2026-01-31");
    expect(overview).toMatchObject({ bucket: "day", errors: [], slowestFlows: [], current: { total: 0 } });
    expect(overview.series.map(({ at }) => at)[0]).toBe("2026-01-01T00:00:00.000Z");
    expect(overview.series).toHaveLength(31);
  });
});

describe("an invalid overview is refused", () => {
  it("for a span that ends before it starts, or is longer than a year", async () => {
    expectInvalid(await get("/executions/overview?startDate=2026-02-01&endDate=2026-01-01"), "startDate");
    expectInvalid(await get("/executions/overview?startDate=2020-01-01"), "startDate");
    expectInvalid(await get("/executions/overview?bucket=year"), "bucket");
  });

  it("without a key", async () => {
    expectRefusal(await get("/executions/overview", { key: null }), 401, "UNAUTHORIZED");
  });
});
