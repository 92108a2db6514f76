// A process with a wrong clock acts when the database's clock says so.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { node } from "#lib/engine/testing/flows.ts";
import { storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { readDatabaseClock } from "#lib/platform/database/clock.ts";
import { database, query } from "#lib/platform/database.ts";
import { worker } from "./embedded/worker.ts";

let actor: Actor;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  worker().takeRuns();
});
afterEach(() => vi.useRealTimers());
afterAll(() => worker().drain());

const rowOf = (id: string) => database().execution.findUniqueOrThrow({ where: { id } });
const wakeNow = `
  UPDATE execution e SET wake_at = now() FROM execution_wait w
  WHERE e.id = $1 AND w.execution_id = e.id AND e.wake_at IS NOT NULL AND w.until IS NOT NULL RETURNING w.until`;

describe.each([
  ["two minutes behind", -120_000],
  ["an hour ahead", 3_600_000],
])("a clock that is %s", (_, skewMs) => {
  test("neither spins on a due delay nor ends one early", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + skewMs });
    await readDatabaseClock();
    const flow = await storedFlow(actor, [node("pause", "delay", { ms: 60_000 })]);
    const id = await storedExecution(flow);
    worker().wake();
    const [wait] = await eventually("it waits", async () => {
      const rows = await query<{ seconds: number }>(
        "until",
        `SELECT extract(epoch FROM w.until - now())::float8 AS seconds FROM execution_wait w JOIN execution e
          ON e.id = w.execution_id WHERE e.id = $1 AND e.wake_at IS NOT NULL`,
        [id],
      );
      return rows.length > 0 ? rows : undefined;
    });
    expect(wait?.seconds).toBeGreaterThan(50);
    // The database's clock is known to a few milliseconds.
    expect(wait?.seconds).toBeLessThanOrEqual(60.05);
    await query("due", "UPDATE execution_wait SET until = now() WHERE execution_id = $1", [id]);
    await query("wake", wakeNow, [id]);
    worker().wake();
    await eventually("it ends", async () => ((await rowOf(id)).status === "completed" ? true : undefined));
    const { fence, startedAt, completedAt } = await rowOf(id);
    expect(fence).toBeLessThanOrEqual(3);
    const [clock] = await query<{ now: Date }>("now", "SELECT now()", []);
    for (const time of [startedAt, completedAt]) {
      expect(Math.abs((clock?.now.getTime() ?? 0) - (time?.getTime() ?? 0))).toBeLessThan(30_000);
    }
  });
});
