// Compares the lists and statistics with a simple model, over random data and random queries.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { get } from "#e2e/support/api-client.ts";
import { type ExecutionQuery, executionsByModel, type FlowQuery, flowsByModel } from "#e2e/support/list-model.ts";
import { type SeededExecution, type SeededFlow, seeds, seedWorkspace } from "#e2e/support/seeded-workspace.ts";
import { type StatsQuery, statsByModel } from "#e2e/support/stats-model.ts";
import { newId } from "#lib/platform/ids.ts";

const { constantFrom, integer, option, record, subarray } = fc;
/** The data is the same each time; the queries are not. */
const seed = 7;
const time = constantFrom(...seeds.times);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => option(arbitrary, { nil: undefined });

const flow: fc.Arbitrary<SeededFlow> = record({
  id: fc.constant("").map(() => newId("flow")),
  name: constantFrom(...seeds.names),
  description: constantFrom(...seeds.descriptions),
  status: constantFrom(...seeds.flowStatuses),
  tags: subarray([...seeds.tags]),
  createdAt: time,
  updatedAt: time,
});
const flows = fc.sample(flow, { numRuns: 40, seed });
const busy = flows[0]?.id ?? "";

const execution = (flowIds: readonly string[]): fc.Arbitrary<SeededExecution> =>
  record({
    flowId: constantFrom(...flowIds),
    status: constantFrom(...seeds.executionStatuses),
    startedAt: time,
    duration: constantFrom(...seeds.durations),
  }).map(({ duration, ...seeded }) => ({ id: newId("execution"), ...seeded, ...endOf(seeded, duration) }));

function endOf({ status, startedAt }: { status: string; startedAt: string }, duration: number) {
  if (status === "running") return { completedAt: null, duration: null };
  return { completedAt: new Date(Date.parse(startedAt) + duration).toISOString(), duration };
}

const executions = [
  ...fc.sample(execution(flows.slice(1, 4).map(({ id }) => id)), { numRuns: 60, seed }),
  ...fc.sample(execution([busy]), { numRuns: 110, seed }),
];

const pageQuery = {
  page: optional(integer({ min: 1, max: 6 })),
  limit: optional(constantFrom(1, 2, 7, 20, 50, 100)),
  order: optional(constantFrom("asc", "desc")),
};
const flowQuery = record({
  ...pageQuery,
  status: optional(constantFrom(...seeds.flowStatuses)),
  tag: optional(constantFrom(...seeds.tags, "nobody's")),
  search: optional(
    constantFrom(
      ...["alpha", "ALPHA", "%", "_", "\\", "0%", "a_b", "ärger", "ÜBER", "", "sure", "nothing"],
      ...["sure 100", "zwei arg", "uber zulu", "50 ALPHA", "slash b"],
    ),
  ),
  sortBy: optional(constantFrom("name", "createdAt", "updatedAt")),
}) as fc.Arbitrary<FlowQuery>;
const moment = constantFrom(...seeds.times, "2024-02-29", "2024-03-01", "2024-02-29T13:00:00+01:00", "1999-01-01");
const executionQuery = record({
  ...pageQuery,
  flowId: optional(constantFrom(...flows.slice(0, 5).map(({ id }) => id), "nobody's")),
  status: optional(constantFrom(...seeds.executionStatuses, "pending", "completed,failed", "running,timeout")),
  startDate: optional(moment),
  endDate: optional(moment),
  sortBy: optional(constantFrom("startedAt", "completedAt", "duration")),
}) as fc.Arbitrary<ExecutionQuery>;

const statsQuery = record({
  flowId: optional(constantFrom(...flows.slice(0, 5).map(({ id }) => id), "nobody's")),
  startDate: optional(moment),
  endDate: optional(moment),
  groupBy: optional(constantFrom("day", "week", "month")),
}) as fc.Arbitrary<StatsQuery>;

interface FlowFigures {
  readonly id: string;
  readonly executionCount: number;
  readonly lastExecutedAt: string | null;
}

interface Stats {
  readonly slowestExecutions: readonly { readonly duration: number }[];
  readonly mostCommonErrors: readonly unknown[];
}

const parametersOf = (query: object) =>
  new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined));

describe.skipIf(inject("server").dataDir === undefined)("lists", () => {
  let seeded: Awaited<ReturnType<typeof seedWorkspace>>;
  beforeAll(async () => {
    seeded = await seedWorkspace(flows, executions);
  });
  afterAll(() => seeded?.remove());

  /** The ids of a page and its pagination. */
  async function readList(path: string, query: object) {
    const { data, pagination } = await get<{ id: string }[]>(`${path}?${parametersOf(query)}`, seeded);
    return { ids: data.map(({ id }) => id), pagination };
  }

  // Proves flows.list.together, lists.ties
  it("of flows match the model for any filter, order and page", async () => {
    const property = fc.asyncProperty(flowQuery, async (query) => {
      expect(await readList("/flows", query)).toEqual(flowsByModel(flows, query));
    });
    await fc.assert(property, { numRuns: 150 });
  });

  // Proves executions.list.flow-id, executions.list.sort-by, lists.ties
  it("of executions match the model for any filter, order and page", async () => {
    const property = fc.asyncProperty(executionQuery, async (query) => {
      expect(await readList("/executions", query)).toEqual(executionsByModel(executions, query));
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it("of flows have each one's number of runs, and when the last one started", async () => {
    const { data } = await get<FlowFigures[]>("/flows?limit=100", seeded);
    const byId = new Map(data.map((listed) => [listed.id, listed]));
    const expected = flows.map(({ id }) => {
      const { ids, pagination } = executionsByModel(executions, { flowId: id, limit: 1 });
      const last = executions.find((execution) => execution.id === ids[0]);
      return { id, executionCount: pagination.total, lastExecutedAt: last?.startedAt ?? null };
    });
    expect(expected.map(({ id }) => byId.get(id))).toMatchObject(expected);
  });

  // Proves executions.stats.any-filter
  it("of days, weeks and months in statistics match the model for any filter", async () => {
    const property = fc.asyncProperty(statsQuery, async (query) => {
      const { data } = await get<Stats>(`/executions/stats?${parametersOf(query)}`, seeded);
      const { slowestExecutions, mostCommonErrors: _, ...reported } = data;
      const slowest = slowestExecutions.map(({ duration }) => duration);
      expect({ ...reported, slowest }).toEqual(statsByModel(executions, query));
    });
    await fc.assert(property, { numRuns: 100 });
  });

  // Proves flows.export.executions-max
  it("of an export's executions are the latest 100, newest first", async () => {
    const answer = await get(`/flows/${busy}/export?includeExecutions=true`, seeded);
    const exported = answer.body as { readonly executions: readonly { readonly id: string }[] };
    const latest = executionsByModel(executions, { flowId: busy, limit: 100 });
    expect(exported.executions.map(({ id }) => id)).toEqual(latest.ids);
  });
});
