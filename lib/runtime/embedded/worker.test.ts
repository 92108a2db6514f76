import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { node } from "#lib/engine/testing/flows.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { leaseSeconds } from "#lib/executions/store/run-row.ts";
import { runningRuns, stopRun, waitingRuns } from "#lib/executions/store/runs-in-process.ts";
import { letLeaseExpire, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { database, pool, query } from "#lib/platform/database.ts";
import type { OutboundRequest } from "#lib/platform/outbound/outbound.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { driveRun } from "#lib/runtime/drive/drive-run.ts";
import { claimRuns } from "./claim-runs.ts";
import { Worker } from "./worker.ts";

let actor: Actor;
const sent: OutboundRequest[] = [];

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  singleton("outside", () => ({
    sandbox: {} as Outside["sandbox"],
    outbound: {
      // Answers nothing until it is aborted.
      send: (request) => {
        sent.push(request);
        return new Promise((_, reject) =>
          request.signal.addEventListener("abort", () => reject(request.signal.reason), { once: true }),
        );
      },
    } as Outside["outbound"],
  }));
});
afterEach(async () => {
  sent.length = 0;
  await query("forget-runs", "DELETE FROM execution", []);
});

const calling = () => storedFlow(actor, [node("call", "http-request", { url: "https://api.test/", method: "POST" })]);

const waitingStatements = `
  SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`;

describe("a worker", () => {
  test("that is drained while it claims runs drives none of them, and gives them back", async () => {
    const worker = new Worker();
    const id = await storedExecution(await calling());
    const blocking = await pool().connect();
    await blocking.query("BEGIN");
    await blocking.query("LOCK TABLE execution IN SHARE MODE");
    worker.takeRuns();
    await eventually("a claim waits", async () =>
      (await query("waiting", waitingStatements, ["%RECURSIVE%woken%"])).length > 0 ? true : undefined,
    );
    const drained = worker.drain();
    await blocking.query("COMMIT");
    blocking.release();
    await drained;
    const row = await database().execution.findUniqueOrThrow({ where: { id } });
    expect([runningRuns().size, sent.length, row.leaseOwner, row.losses]).toEqual([0, 0, null, 0]);
  });

  test("stops a run that was deleted elsewhere: its request is aborted", async () => {
    const worker = new Worker();
    worker.start();
    worker.takeRuns();
    const id = await storedExecution(await calling());
    worker.wake();
    await eventually("the request is open", () => (sent.length > 0 ? true : undefined));
    // What another process does: it cancels the run, then deletes its row.
    await query("delete", "DELETE FROM execution WHERE id = $1", [id]);
    await eventually("it is aborted", () => (sent[0]?.signal.aborted ? true : undefined), 10_000);
    await worker.drain();
    expect(runningRuns().size).toBe(0);
  });

  test("takes over no run for a while after an outage: its process is about to renew its lease", async () => {
    const worker = new Worker();
    const flow = await calling();
    const expired = await storedExecution(flow, "another");
    await letLeaseExpire(expired);
    await storedExecution(flow);
    const ownerOf = async (id: string) => (await database().execution.findUniqueOrThrow({ where: { id } })).leaseOwner;
    const away = Object.assign(new Error("away"), { code: "ECONNREFUSED" });
    const statements = vi.spyOn(pool(), "query").mockImplementationOnce(() => Promise.reject(away));
    worker.takeRuns();
    worker.wake();
    await eventually("the pending run starts", () => (sent.length > 0 ? true : undefined));
    statements.mockRestore();
    expect(await ownerOf(expired)).toBe("another");
    const later = performance.now() + 6_000;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => later);
    worker.wake();
    await eventually("the other is taken over", () => (sent.length > 1 ? true : undefined));
    clock.mockRestore();
    for (const id of runningRuns().keys()) stopRun(id, "lost");
    await worker.drain();
  });

  test("counts a lease from when it is stored, not from when its statement began to wait for a lock", async () => {
    /** Sends a statement that must wait for a lock; returns how many seconds of the lease were left after that. */
    const secondsLeft = async (pattern: string, send: () => Promise<string> | string): Promise<number> => {
      const blocking = await pool().connect();
      await blocking.query("BEGIN; LOCK TABLE execution IN SHARE MODE");
      const sending = send();
      await eventually(`${pattern} waits`, async () =>
        (await query("waiting", waitingStatements, [pattern])).length > 0 ? true : undefined,
      );
      const { rows } = await blocking.query<{ at: Date }>("SELECT clock_timestamp() AS at");
      const unlockedMs = rows[0]?.at.getTime() ?? 0;
      await blocking.query("COMMIT");
      blocking.release();
      const id = await sending;
      return await eventually("it is stored", async () => {
        const row = await database().execution.findUnique({ where: { id } });
        const leftMs = (row?.leaseUntil?.getTime() ?? 0) - unlockedMs;
        return leftMs > 0 ? leftMs / 1000 : undefined;
      });
    };
    const flow = await calling();
    expect(await secondsLeft("%INSERT INTO execution%", () => storedExecution(flow, "another"))).toBeGreaterThanOrEqual(
      leaseSeconds,
    );
    const worker = new Worker();
    const id = await storedExecution(flow);
    const claiming = () => {
      worker.takeRuns();
      return id;
    };
    expect(await secondsLeft("%RECURSIVE%woken%", claiming)).toBeGreaterThanOrEqual(leaseSeconds);
    await eventually("the request is open", () => (sent.length > 0 ? true : undefined));
    await query("shorten", "UPDATE execution SET lease_until = now() WHERE id = $1", [id]);
    const renewing = () => {
      worker.start();
      return id;
    };
    expect(await secondsLeft("%own AS%", renewing)).toBeGreaterThanOrEqual(leaseSeconds);
    stopRun(id, "lost");
    await worker.drain();
  });

  test("looks in one statement for waiting runs that another process woke, however many wait", async () => {
    const worker = new Worker();
    worker.start();
    const flow = await storedFlow(actor, [node("wait", "wait", { timeoutMs: 60_000 })]);
    const [woken] = await Promise.all(Array.from({ length: 20 }, () => storedExecution(flow)));
    const ends = (await claimRuns(20)).map(({ run, recorded }) => driveRun(run, recorded, Date.now() + 600_000));
    await eventually("all wait", () => (waitingRuns().size === 20 ? true : undefined));
    const sentStatements = vi.spyOn(pool(), "query");
    const wake = `UPDATE execution_wait SET resumed_at = now(), value = '{"body":1}' WHERE execution_id = $1`;
    await query("wake-elsewhere", wake, [woken]);
    expect((await Promise.race(ends))?.status).toBe("completed");
    const names = sentStatements.mock.calls.map(([statement]) => (statement as { name?: string }).name);
    sentStatements.mockRestore();
    expect(names.filter((name) => name === "read-wakes")).toHaveLength(1);
    await worker.drain();
    await Promise.all(ends);
  });
});
