import { beforeAll, describe, expect, test, vi } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { bucketOf } from "#lib/executions/statistics/duration-buckets.ts";
import { finished, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { flowFigures } from "#lib/flows/flow-figures.ts";
import { updateFlow } from "#lib/flows/update-flow.ts";
import { database, pool, query } from "#lib/platform/database.ts";
import { newExecution, type StartedFlow, triggerTextOf } from "./new-execution.ts";
import { storeEndedRun } from "./store-ended-run.ts";

let actor: Actor;
let flow: StartedFlow;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  flow = await storedFlow(actor);
});

function newRun(of: StartedFlow, triggerType = "webhook") {
  const trigger = triggerTextOf({ body: {}, headers: {}, query: {}, method: "POST" });
  const request = { triggerType, trigger, source: "webhook", ip: null, userAgent: null, leaseOwner: "me" } as const;
  return newExecution(of, request);
}
const store = (run = newRun(flow), more = {}) => storeEndedRun(run, finished(run.id, 1, more));
const countOf = async (of: StartedFlow) =>
  (await flowFigures(actor.workspaceId, [of.id])).get(of.id)?.executionCount ?? 0;
const rowState = async ({ id }: StartedFlow) =>
  (await query<{ row: string }>("row-state", "SELECT xmin::text AS row FROM flow WHERE id = $1", [id]))[0]?.row ?? "";

describe("runs that ended before they were stored", () => {
  test("are stored separately, even several flows in one statement", async () => {
    const other = { ...(await storedFlow(actor)), name: "Other" };
    const runs = [newRun(flow), newRun(other), newRun(flow, "manual"), newRun(other), newRun(flow)];
    const stored = await Promise.all(runs.map((run, index) => store(run, { output: `${index}` })));
    expect(stored).toEqual(Array(5).fill(true));
    const rows = await database().execution.findMany({ where: { id: { in: runs.map(({ id }) => id) } } });
    const byId = new Map(rows.map((row) => [row.id, row]));
    expect(
      runs.map(({ id }) => {
        const row = byId.get(id);
        return [row?.flowId, row?.flowName, row?.triggerType, row?.output];
      }),
    ).toEqual([
      [flow.id, "Test", "webhook", "0"],
      [other.id, "Other", "webhook", "1"],
      [flow.id, "Test", "manual", "2"],
      [other.id, "Other", "webhook", "3"],
      [flow.id, "Test", "webhook", "4"],
    ]);
  });

  test("are stored even if another's flow has changed, which is not stored", async () => {
    const changing = await storedFlow(actor);
    const found = { ...changing, row: await rowState(changing) };
    await updateFlow(actor, changing.id, { name: "Changed" }, null);
    const before = await countOf(flow);
    expect(await Promise.all([store(), store(newRun(found)), store()])).toEqual([true, false, true]);
    expect(await countOf(flow)).toBe(before + 2);
    expect(await countOf(changing)).toBe(0);
  });

  test("are stored and counted even if one already exists, which is not counted again", async () => {
    const known = newRun(flow);
    expect(await store(known)).toBe(true);
    const before = await countOf(flow);
    expect(await Promise.all([store(), store(known), store()])).toEqual([true, false, true]);
    expect(await countOf(flow)).toBe(before + 2);
  });

  test("are counted as the database would, by day, source and duration", async () => {
    const flows = await Promise.all([storedFlow(actor), storedFlow(actor)]);
    const day = Date.parse("2026-01-31T23:59:59.000Z");
    const stored = Array.from({ length: 120 }, (_, index) => {
      const startedAt = new Date(day + index * 20).toISOString();
      const completedAt = new Date(day + index * 20 + index ** 3 - 1).toISOString();
      const status = index % 40 === 0 ? "failed" : "completed";
      return store({ ...newRun(flows[index % 2] ?? flow), startedAt }, { completedAt, status });
    });
    expect(await Promise.all(stored)).toEqual(Array(120).fill(true));
    const ids = [flows.map(({ id }) => id)];
    const counts = await query(
      "counted-rows",
      `SELECT flow_id, (at AT TIME ZONE 'UTC')::date::text AS day, source, sum(completed)::int AS completed, sum(failed)::int AS failed,
         sum(completed_duration)::int AS completed_duration, sum(total_duration)::int AS total_duration,
         max(last_started_at) AS last_started_at
       FROM run_count WHERE flow_id = ANY($1) GROUP BY 1, 2, 3 ORDER BY 1, 2`,
      ids,
    );
    const rows = await query(
      "count-rows",
      `SELECT flow_id, (started_at AT TIME ZONE 'UTC')::date::text AS day, source,
         count(*) FILTER (WHERE status = 'completed')::int AS completed,
         count(*) FILTER (WHERE status = 'failed')::int AS failed,
         sum(duration_ms) FILTER (WHERE status = 'completed')::int AS completed_duration,
         sum(duration_ms)::int AS total_duration, max(started_at) AS last_started_at
       FROM execution WHERE flow_id = ANY($1) GROUP BY 1, 2, 3 ORDER BY 1, 2`,
      ids,
    );
    expect(counts).toHaveLength(4);
    expect(counts).toEqual(rows);
    const lengths = await query(
      "counted-lengths",
      `SELECT flow_id, (at AT TIME ZONE 'UTC')::date::text AS day, bucket, sum(runs)::int AS runs FROM duration_count
       WHERE flow_id = ANY($1) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      ids,
    );
    const lengthsOfRows = await query(
      "count-lengths",
      `SELECT flow_id, (started_at AT TIME ZONE 'UTC')::date::text AS day, ${bucketOf("duration_ms")} AS bucket,
         count(*)::int AS runs
       FROM execution WHERE flow_id = ANY($1) AND status = 'completed' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      ids,
    );
    expect(lengths).toEqual(lengthsOfRows);
  });

  test("have their errors counted if some of them failed", async () => {
    const failing = await storedFlow(actor);
    const error = { message: "it broke", nodeId: "a", code: "BROKEN" };
    const failed = { status: "failed", error, output: null };
    await Promise.all([store(newRun(failing)), store(newRun(failing), failed), store(newRun(failing), failed)]);
    const counted = await query<{ runs: number; message: string }>(
      "errors-of-flow",
      "SELECT sum(runs)::int AS runs, message FROM error_count WHERE flow_id = $1 GROUP BY message",
      [failing.id],
    );
    expect(counted).toEqual([{ runs: 2, message: "it broke" }]);
    expect((await flowFigures(actor.workspaceId, [failing.id])).get(failing.id)).toMatchObject({ executionCount: 3 });
  });
});

test("a run whose write succeeded but whose acknowledgement was lost is stored once, and reported as not stored", async () => {
  const send = pool().query.bind(pool()) as (...given: unknown[]) => Promise<unknown>;
  const lose = async (...given: unknown[]) => {
    await send(...given);
    throw Object.assign(new Error("the connection is gone"), { code: "ECONNRESET" });
  };
  const before = await countOf(flow);
  const lost = vi.spyOn(pool(), "query").mockImplementationOnce(lose as never);
  expect(await Promise.all([store(), store()])).toEqual([false, false]);
  lost.mockRestore();
  expect(await countOf(flow)).toBe(before + 2);
});
