import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { cancelRow } from "#lib/executions/cancel-execution.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { runningRuns } from "#lib/executions/store/runs-in-process.ts";
import { finished, limitedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { updateFlow } from "#lib/flows/update-flow.ts";
import { database, pool, query } from "#lib/platform/database.ts";
import { failUnkeyedRuns, limitRun } from "#lib/runtime/start/queue-run.ts";
import { admitRuns } from "./admit-runs.ts";
import { claimRuns } from "./claim-runs.ts";

let actor: Actor;
let flow: StartedFlow;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});
beforeEach(async () => {
  flow = await storedFlow(actor);
});
afterEach(async () => {
  runningRuns().clear();
  await query("forget-runs", "DELETE FROM execution", []);
});

const run = (policy: "queue" | "skip" | "cancel-previous" = "queue", most = 1, key = flow.id) =>
  limitedExecution(flow, { key, most, policy });
const rowOf = (id: string) => database().execution.findUniqueOrThrow({ where: { id } });
const claimed = async () => (await claimRuns(100)).map((claim) => claim.run.id);
const end = async (id: string) => {
  const { fence } = await rowOf(id);
  expect(await finishExecution(finished(id, fence))).toBe(true);
};

/** Waits until this many statements wait for a lock. */
const waiting = (count: number) =>
  eventually(`${count} statements wait`, async () => {
    const text = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (await query("waiting", text, [])).length >= count ? true : undefined;
  });

describe("runs that share a limit", () => {
  test("are not claimed before their turn, and start in order as others end", async () => {
    const ids = [await run(), await run(), await run()];
    expect(await claimed()).toEqual([]);
    for (const id of ids) {
      expect(await admitRuns()).toBe(1);
      expect(await admitRuns()).toBe(0);
      expect(await claimed()).toEqual([id]);
      await end(id);
    }
    expect(await admitRuns()).toBe(0);
  });

  test("never exceed the limit, however many processes admit at once", async () => {
    for (let index = 0; index < 30; index += 1) await run("queue", 3);
    for (let left = 30; left > 0; left -= 3) {
      const admitted = await Promise.all(Array.from({ length: 6 }, () => admitRuns()));
      expect(admitted.reduce((sum, count) => sum + count, 0)).toBe(3);
      const ids = await claimed();
      expect(ids).toHaveLength(3);
      await Promise.all(ids.map(end));
    }
  });

  test("share a limit by key: runs with other keys do not wait for them", async () => {
    const [first, , other] = [await run("queue", 1, "a"), await run("queue", 1, "a"), await run("queue", 1, "b")];
    expect(await admitRuns()).toBe(2);
    expect((await claimed()).toSorted()).toEqual([first, other].toSorted());
  });

  test("keep their slot when their process dies: no other run starts in it", async () => {
    const [first, second] = [await run(), await run()];
    await admitRuns();
    await claimed();
    await query("expire", "UPDATE execution SET lease_until = now() - interval '1 second' WHERE id = $1", [first]);
    expect(await admitRuns()).toBe(0);
    expect(await claimed()).toEqual([first]);
    await end(first);
    await admitRuns();
    expect(await claimed()).toEqual([second]);
  });

  test("can be cancelled while queued, and are then no longer queued", async () => {
    const [first, second] = [await run(), await run()];
    expect(await cancelRow(first, new Date().toISOString(), null)).toBe(true);
    expect(await rowOf(first)).toMatchObject({ status: "cancelled", held: false });
    await admitRuns();
    expect(await claimed()).toEqual([second]);
  });

  test("follow the flow's current limit: a larger one admits more, none admits all", async () => {
    for (let index = 0; index < 6; index += 1) await run();
    await admitRuns();
    await updateFlow(actor, flow.id, { settings: { concurrency: { limit: 3 } } }, null);
    expect(await admitRuns()).toBe(2);
    await updateFlow(actor, flow.id, { settings: null }, null);
    expect(await claimed()).toHaveLength(6);
  });
});

describe("a run whose key cannot be evaluated", () => {
  const store = async () => {
    const settings = JSON.stringify({ concurrency: { key: "$trigger.body.no.key" } });
    const trigger = triggerTextOf({ body: {}, headers: {}, query: {}, method: "POST" });
    const { limit, failure } = await limitRun({ ...flow, settings }, trigger);
    if (limit === null || failure === null) throw new Error("the key was evaluated");
    return await limitedExecution(flow, limit);
  };

  test("is never admitted, even before its process has failed it", async () => {
    await store();
    expect(await admitRuns()).toBe(0);
    expect(await claimed()).toEqual([]);
  });

  test("is failed by the upkeep if its process died before", async () => {
    const id = await store();
    expect(await failUnkeyedRuns()).toBe(0);
    await query("long-ago", "UPDATE execution SET started_at = started_at - interval '2 minutes'", []);
    expect(await failUnkeyedRuns()).toBe(1);
    expect(await rowOf(id)).toMatchObject({ status: "failed", errorCode: "EXPRESSION_FAILED" });
  });
});

describe("skip", () => {
  test("ends runs beyond the limit as cancelled, with the reason", async () => {
    const ids = [await run("skip", 2), await run("skip", 2), await run("skip", 2)];
    expect(await admitRuns()).toBe(2);
    expect((await claimed()).toSorted()).toEqual(ids.slice(0, 2).toSorted());
    const last = ids[2] ?? "";
    expect(await rowOf(last)).toMatchObject({
      status: "cancelled",
      reason: 'Skipped: 2 runs of the flow were in progress, and its concurrency policy is "skip"',
    });
    expect(await database().logEntry.count({ where: { executionId: last } })).toBe(1);
  });

  test("never ends a run that another process has admitted meanwhile", async () => {
    const first = await run("skip");
    await admitRuns();
    await claimed();
    const second = await run("skip");
    const blocking = await pool().connect();
    await blocking.query("BEGIN");
    // The end of a run that is skipped has a log entry, that of the first has none.
    await blocking.query("LOCK TABLE log_entry IN SHARE MODE");
    const admitting = admitRuns();
    await waiting(1);
    await end(first);
    const other = admitRuns();
    await Promise.race([other, waiting(2)]);
    await blocking.query("COMMIT");
    blocking.release();
    const admitted = (await admitting) + (await other);
    expect((await rowOf(second)).status).toBe(admitted === 1 ? "pending" : "cancelled");
  });

  test("lets a run start when there is room again", async () => {
    const first = await run("skip");
    await admitRuns();
    await claimed();
    await end(first);
    const second = await run("skip");
    expect(await admitRuns()).toBe(1);
    expect(await claimed()).toEqual([second]);
  });
});

describe("cancel-previous", () => {
  test("ends running and queued runs in favour of the newest", async () => {
    const first = await run("cancel-previous");
    await admitRuns();
    await claimed();
    const [second, third] = [await run("cancel-previous"), await run("cancel-previous")];
    expect(await admitRuns()).toBe(1);
    expect(await claimed()).toEqual([third]);
    const reason = 'A newer run took its place: the flow\'s concurrency policy is "cancel-previous"';
    for (const id of [first, second]) expect(await rowOf(id)).toMatchObject({ status: "cancelled", reason });
  });

  test("keeps as many as the limit allows", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      ids.push(await run("cancel-previous", 2));
      await admitRuns();
      await claimed();
    }
    const statuses = await Promise.all(ids.map(async (id) => (await rowOf(id)).status));
    expect(statuses).toEqual(["cancelled", "cancelled", "running", "running"]);
  });
});

test("one of ten thousand queued under one key is admitted, and no other while it runs", async () => {
  const id = await run();
  await query(
    "copy-runs",
    `INSERT INTO execution (id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source,
       metadata, started_at, timeout_ms, concurrency_key, concurrency_limit, concurrency_policy, held)
     SELECT 'exec_' || n, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source, metadata,
       started_at + n * interval '1 ms', timeout_ms, concurrency_key, concurrency_limit, concurrency_policy, held
     FROM execution, generate_series(1, 10000) AS n WHERE id = $1`,
    [id],
  );
  await query("analyze", "ANALYZE execution", []);
  expect(await admitRuns()).toBe(1);
  for (let index = 0; index < 20; index += 1) expect(await admitRuns()).toBe(0);
});
