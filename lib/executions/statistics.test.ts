// Compares lists and statistics with a simple model: the same runs in an array, filtered, sorted and counted.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { inTransaction, query } from "#lib/platform/database.ts";
import { deleteExecution, deleteExecutions } from "./delete-executions.ts";
import { endedStatuses } from "./search/execution-filter.ts";
import { findExecutions } from "./search/list-executions.ts";
import { foldStatistics } from "./statistics/fold-statistics.ts";
import { readOverview } from "./statistics/read-overview.ts";
import { readStats } from "./statistics/read-stats.ts";
import { rebuildStatistics } from "./statistics/rebuilding/rebuild-statistics.ts";
import { finishExecution } from "./store/finish-execution.ts";
import { insertExecution } from "./store/insert-execution.ts";
import { newExecution, type StartedFlow } from "./store/new-execution.ts";
import { finished, storedFlow } from "./testing/stored-runs.ts";

const dayMs = 86_400_000;
const firstDay = Date.parse("2026-02-26T00:00:00Z"); // a Thursday; the month ends two days later
const sources = ["api", "webhook"] as const;
const errors = ["no stock", "late"] as const;

interface Run {
  readonly id: string;
  readonly flow: number;
  readonly source: (typeof sources)[number];
  readonly startedAt: number;
  readonly status: "pending" | (typeof endedStatuses)[number];
  readonly duration: number | null;
  readonly error: string | null;
}

const moment = fc.oneof(
  fc.integer({ min: 0, max: 5 * dayMs }),
  fc.integer({ min: 0, max: 100 * dayMs }),
  fc.integer({ min: 0, max: 60 }).map((hour) => hour * (dayMs / 24)),
  fc.integer({ min: 0, max: 10 }).map((half) => half * (dayMs / 2)),
  fc.integer({ min: 1, max: 5 }).map((day) => day * dayMs - 1),
);
const drawnRun = fc.record({
  flow: fc.nat(1),
  source: fc.constantFrom(...sources),
  startedAt: moment,
  status: fc.constantFrom("pending" as const, ...endedStatuses, "completed" as const),
  duration: fc.oneof(fc.nat(20), fc.nat(100_000)),
  error: fc.constantFrom(...errors),
  deleted: fc.constantFrom("no", "no", "no", "one", "many"),
});
const bound = fc.option(moment, { nil: undefined });
const drawnFilter = fc.record({
  flow: fc.option(fc.nat(1), { nil: undefined }),
  status: fc.option(fc.subarray([...endedStatuses, "pending" as const], { minLength: 1 }), { nil: undefined }),
  source: fc.option(fc.subarray([...sources], { minLength: 1 }), { nil: undefined }),
  from: bound,
  to: bound,
  minDuration: fc.option(fc.nat(20), { nil: undefined, freq: 2 }),
  sortBy: fc.constantFrom("startedAt" as const, "completedAt" as const, "duration" as const),
  order: fc.constantFrom("asc" as const, "desc" as const),
  limit: fc.integer({ min: 1, max: 4 }),
  groupBy: fc.constantFrom("day" as const, "week" as const, "month" as const),
});
type DrawnRun = typeof drawnRun extends fc.Arbitrary<infer T> ? T : never;
type DrawnFilter = typeof drawnFilter extends fc.Arbitrary<infer T> ? T : never;

inOwnDatabase();

/** Applies the generated actions to the service, concurrently where possible, and returns the expected result. */
async function perform(actor: Actor, flows: readonly StartedFlow[], drawn: readonly DrawnRun[]): Promise<Run[]> {
  const runs = await Promise.all(drawn.map((run) => startAndEnd(flows[run.flow] as StartedFlow, run)));
  const picked = (deleted: string) => runs.filter((_, index) => drawn[index]?.deleted === deleted);
  const executionIds = picked("many").map(({ id }) => id);
  await Promise.all([
    deleteExecutions(actor, { executionIds }),
    ...picked("one").map(({ id }) => deleteExecution(actor, id)),
  ]);
  return picked("no");
}

async function startAndEnd(flow: StartedFlow, { deleted: _, ...drawn }: DrawnRun): Promise<Run> {
  const { source, status, duration } = drawn;
  const startedAt = firstDay + drawn.startedAt;
  const trigger = triggerTextOf({ body: {}, headers: {}, query: {}, method: "POST" });
  const request = { triggerType: "manual", trigger, source, ip: null, userAgent: null, leaseOwner: null };
  const execution = { ...newExecution(flow, request), startedAt: new Date(startedAt).toISOString() };
  await insertExecution(execution);
  const run = { ...drawn, id: execution.id, startedAt, duration: status === "pending" ? null : duration };
  const error = status === "failed" || status === "timeout" ? drawn.error : null;
  if (status === "pending") return { ...run, status, error };
  const completedAt = new Date(startedAt + duration).toISOString();
  const end = { status, completedAt, error: error && { message: error, nodeId: null, code: "NO" } };
  expect(await finishExecution(finished(execution.id, null, end))).toBe(true);
  return { ...run, status, error };
}

function isFound(run: Run, filter: DrawnFilter): boolean {
  const { flow, status, source, from, to, minDuration } = filter;
  return (
    (flow === undefined || run.flow === flow) &&
    (status === undefined || status.includes(run.status)) &&
    (source === undefined || source.includes(run.source)) &&
    (from === undefined || run.startedAt >= firstDay + from) &&
    (to === undefined || run.startedAt <= firstDay + to) &&
    (minDuration === undefined || (run.duration !== null && run.duration >= minDuration))
  );
}

function sorted(runs: readonly Run[], { sortBy, order }: DrawnFilter): string[] {
  const sign = order === "asc" ? 1 : -1;
  const keyOf = (run: Run) =>
    ({ startedAt: run.startedAt, completedAt: run.duration && run.startedAt + run.duration, duration: run.duration })[
      sortBy
    ];
  const completedOf = (run: Run) => (run.duration === null ? null : run.startedAt + run.duration);
  const key = (run: Run) => (sortBy === "completedAt" ? completedOf(run) : keyOf(run));
  const compared = (first: Run, second: Run) => {
    const [a, b] = [key(first), key(second)];
    if (a === null || b === null) return a === b ? byId(first, second) : a === null ? 1 : -1;
    return a === b ? byId(first, second) : sign * (a - b);
  };
  const byId = (first: Run, second: Run) => sign * (first.id < second.id ? -1 : 1);
  return runs.toSorted(compared).map(({ id }) => id);
}

const datesOf = (filter: DrawnFilter) => ({
  ...(filter.from === undefined ? {} : { startDate: new Date(firstDay + filter.from) }),
  ...(filter.to === undefined ? {} : { endDate: new Date(firstDay + filter.to) }),
});

async function compareList(actor: Actor, flows: readonly StartedFlow[], runs: readonly Run[], filter: DrawnFilter) {
  const { status, source, minDuration, sortBy, order, limit } = filter;
  const expected = sorted(
    runs.filter((run) => isFound(run, filter)),
    filter,
  );
  const flowId = filter.flow === undefined ? undefined : flows[filter.flow]?.id;
  const found: string[] = [];
  for (let page = 1; page <= Math.ceil(expected.length / limit) + 1; page += 1) {
    const request = { page, limit, sortBy, order, flowId, status, source, minDuration, ...datesOf(filter) };
    const { ids, total } = await findExecutions(actor, request);
    expect(total).toBe(expected.length);
    found.push(...ids);
  }
  expect(found).toEqual(expected);
}

async function compareStats(actor: Actor, flows: readonly StartedFlow[], all: readonly Run[], filter: DrawnFilter) {
  const { flow, from, to, groupBy } = filter;
  const runs = all.filter((run) =>
    isFound(run, { ...filter, status: undefined, source: undefined, minDuration: undefined, flow, from, to }),
  );
  const flowId = flow === undefined ? undefined : flows[flow]?.id;
  const stats = await readStats(actor, { flowId, groupBy, ...datesOf(filter) });
  const count = (status: Run["status"], of = runs) => of.filter((run) => run.status === status).length;
  const byStatus = Object.fromEntries(["pending", ...endedStatuses].map((name) => [name, count(name as "pending")]));
  expect(stats.byStatus).toEqual({ ...byStatus, running: 0 });
  expect(stats.summary).toMatchObject({
    totalExecutions: runs.length,
    failed: count("failed") + count("timeout"),
    totalDuration: runs.reduce((sum, run) => sum + (run.duration ?? 0), 0),
    averageDuration: averageOf(runs),
  });
  const periods = Map.groupBy(runs, (run) => periodOf(run.startedAt, groupBy));
  const key = { day: "byDay", week: "byWeek", month: "byMonth" }[groupBy];
  const expected = [...periods].map(([date, of]) => ({
    date,
    completed: count("completed", of),
    failed: count("failed", of) + count("timeout", of),
    cancelled: count("cancelled", of),
    averageDuration: averageOf(of),
  }));
  expect(stats[key as "byDay"]).toEqual(expected.sort((first, second) => (first.date < second.date ? -1 : 1)));
  const slowest = sorted(
    runs.filter((run) => run.duration !== null),
    { ...filter, sortBy: "duration", order: "desc" },
  );
  expect(stats.slowestExecutions.map(({ executionId }) => executionId)).toEqual(slowest.slice(0, 10));
  const failures = Map.groupBy(
    runs.filter((run) => run.error !== null),
    (run) => run.error,
  );
  const counted = Object.fromEntries(stats.mostCommonErrors.map(({ error, count: times }) => [error, times]));
  expect(counted).toEqual(Object.fromEntries([...failures].map(([error, of]) => [error, of.length])));
}

function averageOf(runs: readonly Run[]): number {
  const durations = runs.filter((run) => run.status === "completed").map((run) => run.duration ?? 0);
  return durations.length === 0
    ? 0
    : Math.round(durations.reduce((sum, duration) => sum + duration, 0) / durations.length);
}

function periodOf(startedAt: number, period: "day" | "week" | "month"): string {
  const day = new Date(startedAt).toISOString().slice(0, 10);
  if (period === "day") return day;
  if (period === "month") return `${day.slice(0, 7)}-01`;
  const sinceMonday = (new Date(startedAt).getUTCDay() + 6) % 7;
  return new Date(startedAt - sinceMonday * dayMs).toISOString().slice(0, 10);
}

async function newWorkspace() {
  const actor = await newActor();
  return { actor, flows: [await storedFlow(actor), await storedFlow(actor)] };
}

describe("whatever started, ended and was deleted", () => {
  test("lists and statistics agree with what is stored, before and after folding", async () => {
    const drawnRuns = fc.array(drawnRun, { maxLength: 10 });
    const drawnFilters = fc.array(drawnFilter, { minLength: 3, maxLength: 3 });
    const property = fc.asyncProperty(drawnRuns, drawnRuns, drawnFilters, async (earlier, later, filters) => {
      const { actor, flows } = await newWorkspace();
      const compare = async (runs: readonly Run[]) => {
        for (const filter of filters) {
          await compareList(actor, flows, runs, filter);
          await compareStats(actor, flows, runs, filter);
        }
      };
      const runs = await perform(actor, flows, earlier);
      await compare(runs);
      await foldStatistics();
      runs.push(...(await perform(actor, flows, later)));
      await compare(runs);
      const deleted = runs.splice(0, 5).map(({ id }) => id);
      await deleteExecutions(actor, { executionIds: deleted });
      await compare(runs);
      expect(await rebuildStatistics()).toMatchObject({ corrections: 0 });
      await compare(runs);
    });
    await fc.assert(property, { numRuns: 12 });
  });
});

describe("processes that fold at once", () => {
  test("count each run once, even if one dies while it folds", async () => {
    const { actor, flows } = await newWorkspace();
    const drawn = () => fc.sample(drawnRun, 30);
    const runs = await perform(actor, flows, drawn());
    await expect(
      inTransaction(async (run) => {
        await run("begin-fold", "DELETE FROM run_count WHERE shard > 0", []);
        throw new Error("killed");
      }),
    ).rejects.toThrow("killed");
    const [more] = await Promise.all([perform(actor, flows, drawn()), foldStatistics(), foldStatistics()]);
    await Promise.all([foldStatistics(), foldStatistics()]);
    const deleted = [...runs, ...more].slice(0, 10).map(({ id }) => id);
    await Promise.all([deleteExecutions(actor, { executionIds: deleted }), foldStatistics()]);
    await foldStatistics();
    const remaining = [...runs, ...more].slice(10);
    for (const filter of fc.sample(drawnFilter, 10)) await compareStats(actor, flows, remaining, filter);
    expect(await rebuildStatistics()).toMatchObject({ corrections: 0 });
  });
});

describe("rebuilding the statistics", () => {
  test("corrects errors while runs start and end", async () => {
    const { actor, flows } = await newWorkspace();
    const drawn = fc.sample(drawnRun, 40).map((run) => ({ ...run, deleted: "no" as const }));
    const runs = await perform(actor, flows, drawn);
    await query("spoil-counts", "UPDATE run_count SET completed = completed + 3, total_duration = 1", []);
    await query("spoil-durations", "DELETE FROM duration_count WHERE bucket > 5", []);
    await foldStatistics();
    await query("spoil-errors", "UPDATE error_count SET runs = runs - 1", []);
    const [{ corrections }, more] = await Promise.all([rebuildStatistics(), perform(actor, flows, drawn)]);
    expect(corrections).toBeGreaterThan(0);
    const filters = fc.sample(drawnFilter, 10);
    for (const filter of filters) await compareStats(actor, flows, [...runs, ...more], filter);
    expect(await rebuildStatistics()).toMatchObject({ corrections: 0 });
  });

  test("twice concurrently corrects once", async () => {
    const { actor, flows } = await newWorkspace();
    const runs = await perform(
      actor,
      flows,
      fc.sample(drawnRun, 10).map((run) => ({ ...run, deleted: "no" as const })),
    );
    await query("forget-counts", "DELETE FROM run_count", []);
    await Promise.all([rebuildStatistics(), rebuildStatistics()]);
    for (const filter of fc.sample(drawnFilter, 5)) await compareStats(actor, flows, runs, filter);
  });
});

test("spans may end where the calendar does", async () => {
  const { actor, flows } = await newWorkspace();
  const failed = { status: "failed", deleted: "no" } as const;
  await perform(
    actor,
    flows,
    fc.sample(drawnRun, 1).map((run) => ({ ...run, ...failed })),
  );
  for (const [start, end] of [
    ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"],
    ["0001-01-31T00:00:00Z", "9999-12-16T12:00:00Z"],
    ["0001-01-01T00:30:01Z", "9999-12-30T23:40:00Z"],
  ] as const) {
    const dates = { startDate: new Date(start), endDate: new Date(end) };
    for (const groupBy of ["day", "week", "month"] as const) {
      const stats = await readStats(actor, { groupBy, ...dates });
      expect(stats.summary.totalExecutions, `${start} ${groupBy}`).toBe(1);
      expect(stats.mostCommonErrors).toHaveLength(1);
    }
    const request = { page: 1, limit: 5, sortBy: "startedAt", order: "asc", ...dates } as const;
    expect((await findExecutions(actor, request)).total).toBe(1);
  }
  for (const [start, end] of [
    ["0001-01-02T00:00:00Z", "0001-12-01T00:00:00Z"],
    ["9999-12-01T00:30:00Z", "9999-12-31T23:59:59.999Z"],
  ] as const) {
    const overview = await readOverview(actor, { startDate: new Date(start), endDate: new Date(end) });
    expect([overview.current.total, overview.previous.total]).toEqual([0, 0]);
  }
});
