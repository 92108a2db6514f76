// Compares the overview with the same runs in an array.
import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import { insertExecution } from "#lib/executions/store/insert-execution.ts";
import { newExecution, type StartedFlow, triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { finished, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { foldStatistics } from "./fold-statistics.ts";
import { readOverview } from "./read-overview.ts";

const hourMs = 3_600_000;
const first = Date.parse("2026-02-20T00:00:00Z");
const statuses = ["completed", "completed", "failed", "completed", "cancelled", "timeout", "pending"] as const;

interface Run {
  readonly flow: StartedFlow;
  readonly startedAt: number;
  readonly status: (typeof statuses)[number];
  readonly duration: number;
  readonly error: string | null;
}

let actor: Actor;
let runs: Run[];
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  const flows = [await storedFlow(actor), await storedFlow(actor)];
  // Spread over eight days, with every status at every time of the day.
  runs = Array.from({ length: 210 }, (_, index) => {
    const status = statuses[index % statuses.length] ?? "completed";
    return {
      flow: flows[index % 2] as StartedFlow,
      startedAt: first + index * 55 * 60_000,
      status,
      duration: (index * 7_919) % 90_000,
      error: status === "failed" ? `no ${index % 4}` : status === "timeout" ? "late" : null,
    };
  });
  await Promise.all(runs.slice(0, 100).map(store));
  await foldStatistics();
  await Promise.all(runs.slice(100).map(store));
});

async function store({ flow, startedAt, status, duration, error }: Run): Promise<void> {
  const trigger = triggerTextOf({ body: {}, headers: {}, query: {}, method: "POST" });
  const request = {
    triggerType: "manual",
    trigger,
    source: "api",
    ip: null,
    userAgent: null,
    leaseOwner: null,
  } as const;
  const execution = { ...newExecution(flow, request), startedAt: new Date(startedAt).toISOString() };
  await insertExecution(execution);
  if (status === "pending") return;
  const completedAt = new Date(startedAt + duration).toISOString();
  const end = { status, completedAt, error: error === null ? null : { message: error, nodeId: null, code: "NO" } };
  await finishExecution(finished(execution.id, null, end));
}

const count = (found: readonly Run[], status: Run["status"]) => found.filter((run) => run.status === status).length;

function percentile(found: readonly Run[], share: number): number {
  const durations = found.flatMap(({ status, duration }) => (status === "completed" ? [duration] : []));
  return durations.sort((a, b) => a - b)[Math.ceil(durations.length * share) - 1] ?? Number.NaN;
}

const expectNear = (found: number | null, exact: number) =>
  expect(Math.abs((found ?? Number.NaN) - exact)).toBeLessThanOrEqual(exact * 0.1 + 1);

function topErrors(found: readonly Run[]) {
  const groups = Map.groupBy(
    found.filter(({ error }) => error !== null),
    ({ error, flow }) => `${error} ${flow.id}`,
  );
  return [...groups.values()].map((of) => ({ error: of[0]?.error, flowId: of[0]?.flow.id, count: of.length }));
}

test.each([
  ["hours", { startDate: first + 30 * hourMs, endDate: first + 61.5 * hourMs, bucket: "hour" }],
  ["days", { startDate: first + 40 * hourMs, endDate: first + 150.2 * hourMs, bucket: "day" }],
  ["whole days", { startDate: first + 48 * hourMs, endDate: first + 144 * hourMs - 1, bucket: "day" }],
  ["a flow's days", { startDate: first + 10 * hourMs, endDate: first + 190 * hourMs, bucket: "day", ofFlow: 1 }],
] as const)("over %s it says what the runs come to", async (_, { startDate, endDate, bucket, ...more }) => {
  const flowId = "ofFlow" in more ? runs[more.ofFlow]?.flow.id : undefined;
  const options = { flowId, startDate: new Date(startDate), endDate: new Date(endDate), bucket };
  const overview = await readOverview(actor, options);
  const inFlow = runs.filter((run) => flowId === undefined || run.flow.id === flowId);
  const found = inFlow.filter((run) => run.startedAt >= startDate && run.startedAt <= endDate);
  const before = inFlow.filter((run) => run.startedAt >= 2 * startDate - endDate && run.startedAt < startDate);
  for (const [figures, of] of [
    [overview.current, found],
    [overview.previous, before],
  ] as const) {
    expect(figures).toMatchObject({ total: of.length, running: 0 });
    for (const status of statuses) expect(figures[status]).toBe(count(of, status));
    if (count(of, "completed") === 0) continue;
    expectNear(figures.p50, percentile(of, 0.5));
    expectNear(figures.p95, percentile(of, 0.95));
  }
  const stepMs = bucket === "hour" ? hourMs : 24 * hourMs;
  for (const { at, open, ...counts } of overview.series) {
    const within = found.filter((run) => Math.floor(run.startedAt / stepMs) * stepMs === Date.parse(at));
    expect(open).toBe(count(within, "pending"));
    for (const status of ["completed", "failed", "cancelled", "timeout"] as const) {
      expect(counts[status]).toBe(count(within, status));
    }
  }
  const sum = overview.series.reduce((total, point) => total + point.completed, 0);
  expect(sum).toBe(count(found, "completed"));
  const errors = overview.errors.map(({ flowName: name, ...error }) => [name, error] as const);
  expect(errors.every(([name]) => name === "Test")).toBe(true);
  const expected = topErrors(found);
  for (const [, error] of errors) expect(expected).toContainEqual(error);
  expect(errors).toHaveLength(Math.min(8, expected.length));
  for (const flow of overview.slowestFlows) {
    const of = found.filter((run) => run.flow.id === flow.flowId);
    expect(flow).toMatchObject({ flowName: "Test", completed: count(of, "completed") });
    expectNear(flow.p95, percentile(of, 0.95));
  }
});
