// Runs that wait for events and for turns, driven as the worker drives them.
import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import { edge, node } from "#lib/engine/testing/flows.ts";
import { cancelExecution } from "#lib/executions/cancel-execution.ts";
import { lockKey, publishEvent } from "#lib/executions/events/events.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { readExecution } from "#lib/executions/read-execution.ts";
import { runningRuns } from "#lib/executions/store/runs-in-process.ts";
import { storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { inTransaction, query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { driveRun } from "./drive/drive-run.ts";
import { claimRuns } from "./embedded/claim-runs.ts";
import { sendEvent, wakeOnEvents } from "./triggers/wake-on-events.ts";

let actor: Actor;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  const sandbox = { run: () => Promise.reject(new Error("not needed here")) } as unknown as Outside["sandbox"];
  singleton("outside", () => ({ sandbox, outbound: {} as Outside["outbound"] }));
});

const waitFor = (id: string, key: string, more = {}) => node(id, "wait-for", { key, ...more });
const pause = (id: string, ms: number) => node(id, "delay", { ms });

const stored = async (nodes: readonly FlowNode[], edges: readonly FlowEdge[] = []) =>
  await storedExecution(await storedFlow(actor, nodes, edges));

/** Claims and drives all due runs until they end or only wait; returns each run's state by id. */
async function driveDue(): Promise<Map<string, string>> {
  const driven = new Map<string, string>();
  for (let claims = await claimRuns(500); claims.length > 0; claims = await claimRuns(500)) {
    for (const { run, recorded } of claims) driven.set(run.id, (await driveRun(run, recorded))?.status ?? "waits");
  }
  return driven;
}
const drive = async (id: string) => (await driveDue()).get(id) ?? "not due";
const outputsOf = async (id: string) => {
  const { nodes } = await readExecution(actor, id, { includeLogs: false, includeNodeOutputs: true });
  return Object.fromEntries(nodes.map(({ nodeId, output }) => [nodeId, output]));
};
const waitsOf = (id: string) => query("waits-of-test", "SELECT step_id FROM event_wait WHERE execution_id = $1", [id]);
const send = (key: string, data: unknown = null) => sendEvent(actor, { key, data });

describe("a run that waits for an event", () => {
  // Proves events.wake
  test("holds no process, and continues once with the event's data", async () => {
    const id = await stored([waitFor("w", "a")]);
    expect(await drive(id)).toBe("waits");
    expect(await drive(id)).toBe("not due");
    await send("other");
    expect(await drive(id)).toBe("not due");
    await send("a", { amount: 5 });
    await send("a", "late");
    expect(await drive(id)).toBe("completed");
    expect(await outputsOf(id)).toEqual({ w: { amount: 5 } });
    expect(await waitsOf(id)).toEqual([]);
  });

  test("continues in memory while it has other work", async () => {
    const id = await stored([waitFor("w", "b"), pause("p", 400)]);
    const driven = drive(id);
    await eventually("it waits", async () => (await waitsOf(id)).length > 0 || undefined);
    await send("b", 1);
    expect(await driven).toBe("completed");
    expect(await outputsOf(id)).toMatchObject({ w: 1 });
  });

  // Proves events.early
  test("takes an event that came since it started, but none from before", async () => {
    await send("c", "before");
    const id = await stored([waitFor("w", "c"), waitFor("v", "c")], [edge("w -> v")]);
    await send("c", "first");
    await send("c", "second");
    expect(await drive(id)).toBe("completed");
    expect(await outputsOf(id)).toEqual({ w: "first", v: "second" });
  });

  test("gives each of its steps a separate event", async () => {
    const id = await stored([waitFor("w", "d"), waitFor("v", "d")]);
    expect(await drive(id)).toBe("waits");
    await send("d", 1);
    expect(await drive(id)).toBe("waits");
    expect(await waitsOf(id)).toHaveLength(1);
    await send("d", 2);
    expect(await drive(id)).toBe("completed");
    expect(Object.values(await outputsOf(id)).toSorted()).toEqual([1, 2]);
  });

  test("is woken by the next poll if the process that stored the event died", async () => {
    const flow = await storedFlow(actor, [waitFor("w", "e")]);
    const ids: string[] = [];
    for (let count = 0; count < 250; count += 1) ids.push(await storedExecution(flow));
    await driveDue();
    await publishEvent(actor, { key: "e", data: "told later" });
    const lost = await stored([waitFor("w", "e")]);
    await Promise.all([wakeOnEvents(), wakeOnEvents()]);
    await driveDue();
    for (const id of ids.slice(0, 3)) expect(await outputsOf(id)).toEqual({ w: "told later" });
    const ended = "SELECT count(*)::int AS count FROM execution WHERE id = ANY($1::text[]) AND status = 'completed'";
    expect(await query("ended-in-test", ended, [ids])).toEqual([{ count: 250 }]);
    // It started after the event.
    expect(await drive(lost)).toBe("not due");
    await send("e", "next");
    expect(await drive(lost)).toBe("completed");
    expect(await wakeOnEvents()).toBe(0);
  });

  test("misses no event that is stored while it starts to wait", async () => {
    const id = await stored([waitFor("w", "f")]);
    let driven: Promise<string> | undefined;
    await inTransaction(async (run) => {
      await lockKey(run, "f", "telling");
      driven = drive(id);
      await eventually("it is about to wait", async () => runningRuns().has(id) || undefined);
      await publishEvent(actor, { key: "f", data: 7 });
    });
    expect(await driven).toBe("completed");
    expect(await outputsOf(id)).toEqual({ w: 7 });
  });

  test("follows its time limit, and takes nothing afterwards", async () => {
    const edges = [{ source: "w", target: "late", sourceHandle: "timeout" }];
    const id = await stored([waitFor("w", "g", { timeoutMs: 30 }), pause("late", 1)], edges);
    expect(await drive(id)).toBe("completed");
    expect(await outputsOf(id)).toMatchObject({ w: { timedOutAt: expect.any(String) } });
    await send("g");
    expect(await waitsOf(id)).toEqual([]);
  });

  test("is left alone once cancelled, and in another workspace", async () => {
    const id = await stored([waitFor("w", "h")]);
    await drive(id);
    await sendEvent(await newActor(), { key: "h", data: "theirs" });
    expect(await drive(id)).toBe("not due");
    await cancelExecution(actor, id, null);
    await send("h");
    expect(await drive(id)).toBe("not due");
    expect(await waitsOf(id)).toEqual([]);
  });
});

// Proves nodes.rate-limit
test("a run over the limit waits for its slot, and again if it misses the slot", async () => {
  const limit = { key: "turns", limit: 1, perMs: 3_600_000 };
  const nodes = [node("l", "rate-limit", limit)];
  const [first, second, third] = [await stored(nodes), await stored(nodes), await stored(nodes)];
  expect([...(await driveDue()).values()].toSorted()).toEqual(["completed", "waits", "waits"]);
  const ids = [[first, second, third]];
  const letTimePass = async () => {
    const ago = (column: string) => `${column} = ${column} - interval '5 hours'`;
    await query("pass-waits", `UPDATE execution_wait SET ${ago("until")} WHERE execution_id = ANY($1::text[])`, ids);
    await query("pass-runs", `UPDATE execution SET ${ago("wake_at")} WHERE id = ANY($1::text[])`, ids);
    await query("pass-turns", "UPDATE rate_turn SET at_ms = at_ms - 5 * 3600000", []);
    await query("pass-limit", "UPDATE rate_limit SET due_ms = due_ms - 5 * 3600000", []);
  };
  await letTimePass();
  // Both are late, and there is one free slot.
  expect([...(await driveDue()).values()].toSorted()).toEqual(["completed", "waits"]);
  await letTimePass();
  expect([...(await driveDue()).values()]).toEqual(["completed"]);
});
