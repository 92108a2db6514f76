import { beforeAll, describe, expect, it } from "vitest";
import { get } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { createFlow, ended, execute, node, start, type TestExecution, transform } from "#e2e/support/flows.ts";
import { expectInvalid } from "#e2e/support/refusals.ts";

const list = (query: Record<string, string | number>) =>
  get<TestExecution[]>(`/executions?${new URLSearchParams(query as Record<string, string>)}`);
const ids = async (query: Record<string, string | number>) => (await list(query)).data.map(({ id }) => id);

let flowId: string;
let made: string[];
beforeAll(async () => {
  flowId = (await createFlow({ nodes: [transform("t", "$trigger.body.ok.yes")] })).id;
  const runs = await Promise.all(
    Array.from({ length: 25 }, (_, index) => execute(flowId, index % 5 === 0 ? {} : { ok: { yes: index } })),
  );
  made = runs.map((run) => run.executionId);
});

describe("a list item", () => {
  // Proves executions.list.item
  it("has the list's fields and no others", async () => {
    const flow = await createFlow({
      name: "Listed",
      nodes: [transform("t", "1"), node("l", "log", { level: "warning" })],
    });
    const result = await execute(flow.id, { x: 1 });
    const { data } = await list({ flowId: flow.id });
    expect(data).toEqual([
      {
        id: result.executionId,
        flowId: flow.id,
        flowName: "Listed",
        status: "completed",
        trigger: { type: "manual", data: { x: 1 } },
        source: "api",
        startedAt: result.startedAt,
        completedAt: result.completedAt,
        duration: result.duration,
        nodesExecuted: 2,
        errorCount: 0,
        warningCount: 1,
      },
    ]);
  });

  // Proves executions.list.error-count
  it("of a failed run counts its errors, and says why it failed", async () => {
    expect((await list({ flowId, status: "failed" })).data[0]).toMatchObject({
      nodesExecuted: 1,
      errorCount: 1,
      error: { message: expect.stringMatching(/./), nodeId: expect.stringMatching(/./), code: "EXPRESSION_FAILED" },
    });
  });

  // Proves executions.list.open-run
  it("of an open run has no end", async () => {
    const sink = await countingServer(() => "hold");
    const flow = await createFlow({ nodes: [node("call", "http-request", { url: sink.url })] });
    const id = await start(flow.id);
    await sink.until(1);
    const { data } = await list({ flowId: flow.id, status: "running" });
    expect(data).toMatchObject([{ id, status: "running", completedAt: null, duration: null }]);
    sink.release();
    await ended(id);
    expect(await ids({ flowId: flow.id, status: "running" })).toEqual([]);
  });
});

describe("pages", () => {
  it.each(
    ["startedAt", "completedAt", "duration"].flatMap((sortBy) =>
      ["asc", "desc"].flatMap((order) => [3, 10].map((limit) => [sortBy, order, limit] as const)),
    ),
  )("by %s %s, %i a page: no execution repeats and none is skipped", async (sortBy, order, limit) => {
    const found: string[] = [];
    const keys: number[] = [];
    for (let page = 1; page <= Math.ceil(25 / limit); page += 1) {
      const { data, pagination } = await list({ flowId, sortBy, order, limit, page });
      expect(pagination).toMatchObject({ total: 25, page, limit });
      found.push(...data.map(({ id }) => id));
      keys.push(
        ...data.map((item) => (sortBy === "duration" ? item.duration : Date.parse(item[sortBy as "startedAt"]))),
      );
    }
    expect(found.toSorted()).toEqual(made.toSorted());
    const sorted = keys.toSorted((a, b) => a - b);
    expect(keys).toEqual(order === "asc" ? sorted : sorted.toReversed());
  });

  // Proves executions.list.order
  it("the default is latest first", async () => {
    const times = (await list({ flowId, limit: 25 })).data.map(({ startedAt }) => startedAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(times).toHaveLength(25);
  });

  // Proves lists.past-the-end
  it("a page past the end is empty, with the right totals", async () => {
    const { status, data, pagination } = await list({ flowId, page: 999_999_999, limit: 100 });
    expect([status, data]).toEqual([200, []]);
    expect(pagination).toMatchObject({ total: 25, totalPages: 1, hasNext: false, hasPrev: true });
  });

  // Proves lists.none
  it("without any execution there are 0 pages", async () => {
    const { pagination } = await list({ flowId: "flow_01hzzzzzzzzzzzzzzzzzzzzzzz" });
    expect(pagination).toEqual({ page: 1, limit: 20, total: 0, totalPages: 0, hasNext: false, hasPrev: false });
  });
});

describe("filters", () => {
  // Proves executions.list.status
  it.each([
    ["completed", 20],
    ["failed", 5],
    ["cancelled", 0],
    ["running", 0],
    ["pending", 0],
    ["timeout", 0],
  ])("status=%s", async (status, count) => {
    const { data, pagination } = await list({ flowId, status });
    expect(pagination.total).toBe(count);
    expect(data.every((item) => item.status === status)).toBe(true);
  });

  it.each([
    ["status=failed,timeout", 5],
    ["status=failed&status=completed", 25],
    ["source=api", 25],
    ["source=webhook,retry", 0],
    ["minDuration=0&maxDuration=2147483647", 25],
    ["minDuration=2147483647", 0],
    ["search=YES", 5],
    ["search=listed%25", 0],
    ["search=%22source%22", 25],
  ])("%s", async (query, count) => {
    expect((await get(`/executions?flowId=${flowId}&${query}`)).pagination.total).toBe(count);
  });

  it("bounds of the duration are both inclusive", async () => {
    const { data } = await list({ flowId, limit: 25, sortBy: "duration" });
    const durations = data.map(({ duration }) => duration);
    const middle = durations[12] as number;
    const of = async (query: Record<string, number>) => (await list({ flowId, ...query })).pagination.total;
    expect(await of({ minDuration: middle })).toBe(durations.filter((duration) => duration >= middle).length);
    expect(await of({ maxDuration: middle })).toBe(durations.filter((duration) => duration <= middle).length);
  });

  // Proves executions.list.bounds
  it("startDate and endDate compare with startedAt, both inclusive", async () => {
    const { data } = await list({ flowId, limit: 25, order: "asc" });
    const times = data.map(({ startedAt }) => startedAt);
    const middle = times[12] as string;
    const from = times.filter((time) => time >= middle).length;
    const until = times.filter((time) => time <= middle).length;
    expect((await list({ flowId, startDate: middle })).pagination.total).toBe(from);
    expect((await list({ flowId, endDate: middle })).pagination.total).toBe(until);
    const justAfter = new Date(Date.parse(middle) + 1).toISOString();
    expect((await list({ flowId, startDate: justAfter })).pagination.total).toBe(25 - until);
    expect(from + until).toBeGreaterThan(25);
  });

  // Proves executions.list.bare-date
  it("a bare date means the whole UTC day", async () => {
    const [latest] = (await list({ flowId, limit: 1 })).data;
    const day = latest?.startedAt.slice(0, 10) ?? "";
    const yesterday = new Date(Date.parse(day) - 1).toISOString().slice(0, 10);
    expect((await list({ flowId, startDate: yesterday, endDate: day })).pagination.total).toBe(25);
    expect((await list({ flowId, endDate: yesterday })).pagination.total).toBeLessThan(25);
    expect((await list({ flowId, startDate: "2020-01-01", endDate: "2020-12-31" })).pagination.total).toBe(0);
  });

  // Proves executions.list.time-zones
  it("a time with an offset is the same moment", async () => {
    const [first] = (await list({ flowId, limit: 1, order: "asc" })).data;
    const moment = first?.startedAt ?? "";
    const elsewhere = new Date(Date.parse(moment) + 2 * 3_600_000).toISOString().replace("Z", "+02:00");
    expect((await list({ flowId, startDate: elsewhere })).pagination.total).toBe(25);
  });

  // Proves executions.list.time-zones
  it("a time without an offset is UTC, and long ago is a time as well", async () => {
    const [first] = (await list({ flowId, limit: 1, order: "asc" })).data;
    const moment = (first?.startedAt ?? "").replace("Z", "");
    expect((await list({ flowId, startDate: moment })).pagination.total).toBe(25);
    expect((await list({ flowId, startDate: "1900-01-01", endDate: "2999-12-31" })).pagination.total).toBe(25);
    expect((await list({ flowId, endDate: "1969-12-31" })).pagination.total).toBe(0);
  });

  it("a start after the end finds nothing", async () => {
    expect((await list({ flowId, startDate: "2030-01-01", endDate: "2020-01-01" })).data).toEqual([]);
  });

  it("a missing flow has no executions", async () => {
    expect(await ids({ flowId: "nonsense" })).toEqual([]);
  });
});

describe("400 for invalid parameters", () => {
  // Proves executions.list.status, executions.list.unreadable-date, executions.list.sort-by, lists.sort-and-order
  // Proves text.ids
  it.each([
    ["status", "done"],
    ["status", "Completed"],
    ["status", "completed,done"],
    ["status", ""],
    ["source", "nobody"],
    ["minDuration", "-1"],
    ["minDuration", "1.5"],
    ["maxDuration", "2147483648"],
    ["search", "a\u0000"],
    ["sortBy", "flowName"],
    ["sortBy", "durationMs"],
    ["order", "up"],
    ["page", "0"],
    ["limit", "101"],
    ["flowId", "a\u0000"],
    ["startDate", "2020-02-30"],
    ["startDate", "2020-13-01"],
    ["startDate", "Tue"],
    ["startDate", "1"],
    ["startDate", "1700000000"],
    ["startDate", ""],
    ["startDate", "2020-01-01T25:00:00Z"],
    ["startDate", "2020-01-01 10:00:00"],
    ["endDate", "+275760-09-13T00:00:00.000Z"],
    ["endDate", "9999-99-99"],
    ["endDate", "2020-01-01T00:00:00+99:00"],
  ])("%s=%j", async (name, value) => {
    expectInvalid(await list({ [name]: value }), name);
  });
});
