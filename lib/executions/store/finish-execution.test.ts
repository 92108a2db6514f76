import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { AppError } from "#lib/errors.ts";
import { cancelExecution } from "#lib/executions/cancel-execution.ts";
import { finished, nodeRecord, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { flowFigures } from "#lib/flows/flow-figures.ts";
import { database, query } from "#lib/platform/database.ts";
import { finishExecution } from "./finish-execution.ts";
import type { StartedFlow } from "./new-execution.ts";
import { recordNodes } from "./record-nodes.ts";
import type { FinishedRun } from "./run-row.ts";

let actor: Actor;
let flow: StartedFlow;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  flow = await storedFlow(actor);
});

const rowOf = (id: string) => database().execution.findUniqueOrThrow({ where: { id } });
const error = { message: "no", nodeId: "a", code: "NO" };

/** Competing ends of a run; each returns whether it won. */
const attempts = {
  complete: (id: string) => finishExecution(finished(id, 1)),
  fail: (id: string) => finishExecution(finished(id, 1, { status: "failed", error, output: null })),
  timeout: (id: string) => finishExecution(finished(id, 1, { status: "timeout", output: null })),
  stale: (id: string) => finishExecution(finished(id, 0)),
  cancel: (id: string) =>
    cancelExecution(actor, id, null).then(
      () => true,
      (thrown) => {
        expect(thrown).toBeInstanceOf(AppError);
        expect(thrown.code).toBe("INVALID_STATUS");
        return false;
      },
    ),
};
const statusOf = { complete: "completed", fail: "failed", timeout: "timeout", stale: "", cancel: "cancelled" };
type Attempt = keyof typeof attempts;

describe("the end of a run", () => {
  test("is decided once, however many compete, and the status never changes again", async () => {
    const names = fc.constantFrom(...(Object.keys(attempts) as Attempt[]));
    const tries = fc.array(fc.tuple(names, fc.nat(3)), { minLength: 2, maxLength: 6 });
    const property = fc.asyncProperty(tries, async (drawn) => {
      const id = await storedExecution(flow, "me");
      const won = await Promise.all(
        drawn.map(async ([name, turns]) => {
          for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
          return (await attempts[name](id)) ? [name] : [];
        }),
      );
      const winners = won.flat();
      const mayEnd = drawn.some(([name]) => name !== "stale");
      expect(winners).toHaveLength(mayEnd ? 1 : 0);
      const { status, completedAt } = await rowOf(id);
      expect(status).toBe(mayEnd ? statusOf[winners[0] as Attempt] : "running");
      for (const name of Object.keys(attempts) as Attempt[]) if (mayEnd) expect(await attempts[name](id)).toBe(false);
      expect(mayEnd ? await rowOf(id) : { status, completedAt }).toMatchObject({ status, completedAt });
    });
    await fc.assert(property, { numRuns: 60 });
  });

  test("200 cancellations against 200 completions have one winner each, and the counts agree with the rows", async () => {
    const raced = await storedFlow(actor);
    const ids = await Promise.all(Array.from({ length: 200 }, () => storedExecution(raced, "me")));
    const results = await Promise.all(
      ids.flatMap((id, index) => {
        const [first, second] =
          index % 2 ? ([attempts.cancel, attempts.complete] as const) : [attempts.complete, attempts.cancel];
        return [Promise.all([first(id), second(id)])];
      }),
    );
    expect(results.every(([end, other]) => end !== other)).toBe(true);
    const rows = await database().execution.groupBy({ by: ["status"], where: { flowId: raced.id }, _count: true });
    const counted = await database().runCount.aggregate({
      where: { flowId: raced.id },
      _sum: { completed: true, cancelled: true, failed: true },
    });
    const countOf = (status: string) => rows.find((row) => row.status === status)?._count ?? 0;
    expect(counted._sum).toEqual({ completed: countOf("completed"), cancelled: countOf("cancelled"), failed: 0 });
    expect((await flowFigures(actor.workspaceId, [raced.id])).get(raced.id)?.executionCount).toBe(200);
  });

  test("10,000 races of a cancellation, an end, a time limit and a late end have one winner each", async () => {
    const raced = await storedFlow(actor);
    const [first] = [await storedExecution(raced, "me")];
    await query(
      "copy-runs",
      `INSERT INTO execution (id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source,
         metadata, started_at, timeout_ms, fence, lease_owner, lease_until)
       SELECT 'race_' || n, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source,
         metadata, started_at, timeout_ms, 2, lease_owner, lease_until
       FROM execution, generate_series(1, 10000) AS n WHERE id = $1`,
      [first],
    );
    const contenders = [
      ["cancelled", null],
      ["completed", 2],
      ["timeout", 2],
      ["completed", 1],
    ] as const;
    let winners = 0;
    for (let from = 1; from <= 10_000; from += 1_000) {
      const ids = Array.from({ length: 1_000 }, (_, index) => `race_${from + index}`);
      const races = ids.map(async (id, index) => {
        // Each race starts with another contender and a different order.
        const order = contenders.map((_, place) => contenders[(index * 7 + place * (index % 2 ? 1 : 3)) % 4]);
        const won = await Promise.all(
          order.map((end) => finishExecution(finished(id, end?.[1] ?? null, { status: end?.[0] ?? "failed" }))),
        );
        const winner = order[won.indexOf(true)];
        expect([id, won.filter(Boolean).length, winner?.[1] === 1]).toEqual([id, 1, false]);
        return [id, winner?.[0]];
      });
      const statuses = new Map((await Promise.all(races)) as [string, string][]);
      const rows = await database().execution.findMany({
        where: { id: { in: ids } },
        select: { id: true, status: true },
      });
      for (const { id, status } of rows) expect([id, status]).toEqual([id, statuses.get(id)]);
      winners += rows.length;
    }
    expect(winners).toBe(10_000);
  });

  test("of an older claim is refused, and nothing of it is written", async () => {
    const id = await storedExecution(flow, "me");
    const late: Partial<FinishedRun> = { nodes: [nodeRecord("a")], logs: [] };
    expect(await finishExecution(finished(id, 7, late))).toBe(false);
    expect((await rowOf(id)).status).toBe("running");
    expect(await database().nodeExecution.count({ where: { executionId: id } })).toBe(0);
  });

  test("writes what is not stored yet, and counts the stored nodes if the count is unknown", async () => {
    const id = await storedExecution(flow, "me");
    await recordNodes({
      executionId: id,
      fence: 1,
      nodes: [nodeRecord("a"), nodeRecord("b", { status: "running" })],
      logs: [],
    });
    await cancelExecution(actor, id, "enough");
    expect(await rowOf(id)).toMatchObject({ nodesExecuted: 1, reason: "enough", leaseOwner: null });
    const other = await storedExecution(flow, "me");
    expect(await finishExecution(finished(other, 1, { nodes: [nodeRecord("x")], nodesExecuted: 1 }))).toBe(true);
    expect(await database().nodeExecution.count({ where: { executionId: other } })).toBe(1);
  });

  test("accepts any text in its error", async () => {
    const id = await storedExecution(flow, "me");
    const unstorable = { ...error, message: "a\u0000b" };
    expect(await finishExecution(finished(id, 1, { status: "failed", error: unstorable }))).toBe(true);
    expect((await rowOf(id)).errorMessage).toBe("a\ufffdb");
  });
});
