// Execution statistics, and bulk deletion.
import { describe, expect, it } from "vitest";
import { call, get, patch, post } from "../support/api-client.ts";
import { countingServer } from "../support/counting-server.ts";
import { createFlow, execute, node, start, transform } from "../support/flows.ts";
import { expectInvalid } from "../support/refusals.ts";

interface Stats {
  readonly summary: Record<string, number>;
  readonly byStatus: Record<string, number>;
  readonly byDay?: { readonly date: string; readonly completed: number; readonly failed: number }[];
  readonly byWeek?: { readonly date: string }[];
  readonly byMonth?: { readonly date: string }[];
  readonly slowestExecutions: { readonly executionId: string; readonly duration: number }[];
  readonly mostCommonErrors: { readonly error: string; readonly count: number; readonly percentage: number }[];
}

const program = "if ($trigger.body.fail) throw new Error('no stock'); return 1";

/** A flow with three completed runs and a failed one. */
async function flowWithRuns(): Promise<string> {
  const { id } = await createFlow({ nodes: [transform("work", program)] });
  for (const fail of [false, false, false, true]) await execute(id, { fail });
  return id;
}

const statsOf = async (query: string) => (await get<Stats>(`/executions/stats${query}`)).data;

describe("GET /executions/stats", () => {
  // Proves executions.stats.literal-path, executions.stats.summary, executions.stats.success-rate
  // Proves executions.stats.by-status, executions.stats.by-day
  it("200: counts, rate, periods, the slowest and the most common errors", async () => {
    const id = await flowWithRuns();
    const stats = await statsOf(`?flowId=${id}`);
    expect(stats.summary).toMatchObject({
      totalExecutions: 4,
      completed: 3,
      failed: 1,
      cancelled: 0,
      running: 0,
      successRate: 75,
    });
    expect(stats.byStatus).toEqual({ pending: 0, running: 0, completed: 3, failed: 1, cancelled: 0, timeout: 0 });
    const today = new Date().toISOString().slice(0, 10);
    expect(stats.byDay).toMatchObject([{ date: today, completed: 3, failed: 1, cancelled: 0 }]);
    expect(stats.slowestExecutions).toHaveLength(4);
    const durations = stats.slowestExecutions.map(({ duration }) => duration);
    expect(durations).toEqual([...durations].sort((a, b) => b - a));
    expect(stats.mostCommonErrors).toMatchObject([
      { error: expect.stringMatching(/no stock/), count: 1, percentage: 100 },
    ]);
  });

  // Proves executions.stats.group-by
  it("200: by week and by month instead of by day, from the period's first day", async () => {
    const id = await flowWithRuns();
    const week = await statsOf(`?flowId=${id}&groupBy=week`);
    expect(week).not.toHaveProperty("byDay");
    expect(new Date(`${week.byWeek?.[0]?.date}T00:00:00Z`).getUTCDay()).toBe(1);
    const month = await statsOf(`?flowId=${id}&groupBy=month`);
    expect(month.byMonth?.[0]?.date).toMatch(/-01$/);
  });

  // Proves executions.stats.success-rate
  it("200: zeros if there is nothing to count", async () => {
    const stats = await statsOf(`?flowId=${(await createFlow()).id}`);
    expect(stats.summary).toEqual({
      totalExecutions: 0,
      completed: 0,
      failed: 0,
      cancelled: 0,
      running: 0,
      successRate: 0,
      averageDuration: 0,
      totalDuration: 0,
    });
    expect([stats.byDay, stats.slowestExecutions, stats.mostCommonErrors]).toEqual([[], [], []]);
  });

  // Proves executions.stats.timeout
  it("200: a timeout counts as failed, and under its own name in byStatus; an open run as running", async () => {
    const sink = await countingServer(() => "hold");
    const nodes = [node("call", "http-request", { url: sink.url })];
    const { id } = await createFlow({ nodes, settings: { timeoutMs: 200 } });
    expect((await execute(id)).status).toBe("timeout");
    await patch(`/flows/${id}`, { settings: null });
    const running = await start(id);
    await sink.until(2);
    const stats = await statsOf(`?flowId=${id}`);
    expect(stats.summary).toMatchObject({ totalExecutions: 2, failed: 1, running: 1, cancelled: 0, successRate: 0 });
    expect(stats.byStatus).toMatchObject({ timeout: 1, failed: 0, running: 1 });
    expect(stats.byDay).toMatchObject([{ completed: 0, failed: 1 }]);
    await post(`/executions/${running}/cancel`);
    const after = await statsOf(`?flowId=${id}`);
    expect(after.summary).toMatchObject({ totalExecutions: 2, failed: 1, running: 0, cancelled: 1 });
    expect(after.byDay).toMatchObject([{ completed: 0, failed: 1, cancelled: 1 }]);
  });

  // Proves executions.stats.slowest, executions.stats.errors
  it("200: no more than the 10 slowest and the 10 most common errors, in percent of all that failed", async () => {
    const fails = "if ($trigger.body.n > 0) throw new Error('reason ' + $trigger.body.n); return 0";
    const { id } = await createFlow({ nodes: [transform("work", fails)] });
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1].map((n) => execute(id, { n })));
    const { slowestExecutions, mostCommonErrors, summary } = await statsOf(`?flowId=${id}`);
    expect(summary).toMatchObject({ failed: 12, successRate: 0 });
    expect(slowestExecutions).toHaveLength(10);
    expect(mostCommonErrors).toHaveLength(10);
    expect(mostCommonErrors[0]).toEqual({ error: expect.stringMatching(/reason 1$/), count: 2, percentage: 16.67 });
    expect(mostCommonErrors[1]).toMatchObject({ count: 1, percentage: 8.33 });
  });

  // Proves executions.stats.filters
  it("200: a period without today has none of today's", async () => {
    const id = await flowWithRuns();
    expect((await statsOf(`?flowId=${id}&endDate=2020-01-01`)).summary.totalExecutions).toBe(0);
    expect((await statsOf(`?flowId=${id}&startDate=2020-01-01`)).summary.totalExecutions).toBe(4);
  });

  // Proves executions.stats.invalid
  it("400 for an unknown groupBy and a day that does not exist", async () => {
    expectInvalid(await get("/executions/stats?groupBy=year"), "groupBy");
    expectInvalid(await get("/executions/stats?startDate=2020-02-30"), "startDate");
  });
});

const deleteMany = (body: unknown) => call<{ deletedCount: number; status: string }>("DELETE", "/executions", body);

describe("DELETE /executions", () => {
  // Proves executions.delete.many-without-filter
  it("400 without any filter, and nothing is deleted", async () => {
    const id = await flowWithRuns();
    expectInvalid(await deleteMany({}), "body");
    expect((await get(`/executions?flowId=${id}`)).pagination.total).toBe(4);
  });

  // Proves executions.delete.many-answer, executions.delete.many-combined
  it("200: filters combine, and the flow's own figures follow", async () => {
    const id = await flowWithRuns();
    const { data } = await deleteMany({ flowId: id, status: "failed" });
    expect(data).toEqual({ deletedCount: 1, status: "1 execution deleted" });
    expect((await get(`/executions?flowId=${id}`)).pagination.total).toBe(3);
    expect((await get<{ executionCount: number }>(`/flows/${id}`)).data.executionCount).toBe(3);
  });

  // Proves executions.delete.many-ids
  it("200: by ids; an empty list is none, unknown ids do not count", async () => {
    const id = await flowWithRuns();
    const { data: all } = await get<{ id: string }[]>(`/executions?flowId=${id}`);
    expect((await deleteMany({ executionIds: [] })).data.deletedCount).toBe(0);
    const executionIds = [all[0]?.id, "exec_00000000000000000000000000", "nonsense"];
    expect((await deleteMany({ executionIds })).data.deletedCount).toBe(1);
  });

  // Proves executions.delete.many-older-than
  it("200: only runs that started before", async () => {
    const id = await flowWithRuns();
    expect((await deleteMany({ flowId: id, olderThan: "2020-01-01T00:00:00Z" })).data.deletedCount).toBe(0);
    expect((await deleteMany({ flowId: id, olderThan: "2999-01-01T00:00:00Z" })).data.deletedCount).toBe(4);
  });

  // Proves executions.delete.many-invalid, text.ids
  it("400 for filters of the wrong type", async () => {
    expectInvalid(await deleteMany({ flowId: null }), "flowId");
    expectInvalid(await deleteMany({ flowId: { not: "" } }), "flowId");
    expectInvalid(await deleteMany({ flowId: "a\u0000" }), "flowId");
    expectInvalid(await deleteMany({ executionIds: "x" }), "executionIds");
    expectInvalid(await deleteMany({ executionIds: ["x", "\u0000"] }), "executionIds[1]");
    expectInvalid(await deleteMany({ executionIds: ["\ud800"] }), "executionIds[0]");
    expectInvalid(await deleteMany({ olderThan: 1 }), "olderThan", /ISO 8601/);
    expectInvalid(await deleteMany({ status: "done" }), "status");
    expectInvalid(await deleteMany({ olderThan: "yesterday" }), "olderThan");
  });
});
