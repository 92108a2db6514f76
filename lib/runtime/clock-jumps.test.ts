// The machine's clock is set by an hour in either direction during a run.
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { node } from "#lib/engine/testing/flows.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { database, query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { worker } from "./embedded/worker.ts";

let actor: Actor;
let calls: (() => void)[] = [];

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  worker().takeRuns();
  const answer = { status: 200, headers: {}, body: Buffer.from("") };
  singleton("outside", () => ({
    sandbox: { run: () => Promise.reject(new Error("not needed here")) } as unknown as Outside["sandbox"],
    outbound: {
      send: () => new Promise((resolve) => calls.push(() => resolve(answer))),
    } as unknown as Outside["outbound"],
  }));
});
afterEach(() => vi.useRealTimers());
afterAll(() => worker().drain());

const rowOf = (id: string) => database().execution.findUniqueOrThrow({ where: { id } });
const leaseLeft = "SELECT extract(epoch FROM lease_until - now()) AS seconds FROM execution WHERE id = $1";
const renewals = async (id: string) => Number((await query<{ seconds: string }>("lease", leaseLeft, [id]))[0]?.seconds);

test.each([
  ["forward", 3_600_000],
  ["back", -3_600_000],
])("set %s, the run keeps its process and its lease, calls once, and ends once", async (_, ms) => {
  calls = [];
  const flow = await storedFlow(actor, [node("call", "http-request", { url: "https://api.test/" })]);
  const id = await storedExecution(flow);
  worker().wake();
  await eventually("it calls", () => (calls.length === 1 ? true : undefined));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
  // A lease that nobody renews keeps running out.
  await query("shorten", "UPDATE execution SET lease_until = now() + interval '4 seconds' WHERE id = $1", [id]);
  await eventually("its lease is renewed", async () => ((await renewals(id)) > 8 ? true : undefined), 8_000);
  calls[0]?.();
  await eventually("it ends", async () => ((await rowOf(id)).status === "completed" ? true : undefined));
  const { fence, losses, durationMs } = await rowOf(id);
  expect([fence, losses, calls.length]).toEqual([1, 0, 1]);
  expect(durationMs).toBeGreaterThanOrEqual(0);
});
