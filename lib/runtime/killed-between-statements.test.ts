// A process is killed between two statements: work with a key is done once, and another process finishes its deletion
// or cancellation.
import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CuttingProxy, cuttingProxy, type HeldStatement } from "#e2e/support/cutting-proxy.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import { recordWait } from "#lib/executions/store/record-wait.ts";
import { finished, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { embeddedRuntime } from "./embedded/embedded-runtime.ts";
import { worker } from "./embedded/worker.ts";
import { chooseRuntime, runtime } from "./runtime.ts";
import { perform, type Task } from "./testing/killed-process.ts";
import { finishInterrupted } from "./upkeep/upkeep.ts";

let proxy: CuttingProxy;
/** A connection that bypasses the proxy. */
let direct: pg.Client;
let actor: Actor;
inOwnDatabase();
beforeAll(async () => {
  direct = new pg.Client(process.env.DATABASE_URL);
  await direct.connect();
  proxy = await cuttingProxy(process.env.DATABASE_URL ?? "");
  actor = await newActor();
  chooseRuntime(embeddedRuntime);
});
afterAll(async () => {
  await direct?.end();
  await proxy?.close();
});

const logNode = { id: "a", type: "log", name: "a", config: { message: "a" }, position: { x: 0, y: 0 } };

/** Claims orphaned runs during `work`, as a starting server does. */
async function whileRunsAreTaken(work: () => Promise<void>): Promise<void> {
  runtime().start();
  try {
    await work();
  } finally {
    await Promise.all([worker().drain(), runtime().stop()]);
  }
}

/** A process that reaches the database through the proxy. */
function start(): ChildProcess {
  const env = { ...process.env, DATABASE_URL: proxy.url, DATABASE_CONNECTIONS: "40" };
  return fork(join(import.meta.dirname, "testing/killed-process.ts"), { env, execArgv: [] }).setMaxListeners(0);
}

/** Gives the process a task; resolves when the process is held at this statement. */
async function holdAt(child: ChildProcess, statement: HeldStatement, task: Task): Promise<void> {
  const held = proxy.hold(statement);
  const failed = once(child, "message").then(([text]) => Promise.reject(new Error(String(text))));
  child.send({ actor: { ...actor, scopes: [...actor.scopes] }, task });
  await Promise.race([held, failed]);
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  expect(await ended).toEqual([null, "SIGKILL"]);
}

async function countOf(text: string, id: string): Promise<number> {
  return (await direct.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${text} = $1`, [id])).rows[0]?.n ?? 0;
}

const places: Readonly<Record<string, (key: string) => HeldStatement>> = {
  "the key is taken": (key) => ({ contains: ["take-key", key], side: "after" }),
  "the run is not stored yet": (key) => ({ contains: ["keep-made", key], next: "COMMIT", side: "before" }),
  "the run is stored": (key) => ({ contains: ["keep-made", key], next: "COMMIT", side: "after" }),
  "the answer is not kept yet": (key) => ({ contains: ["keep-answer", key], side: "before" }),
  "the answer is kept": (key) => ({ contains: ["keep-answer", key], side: "after" }),
};

test("a run requested with a key is started once, and the next request gets its answer", async () => {
  const child = start();
  const tasks: { readonly place: string; readonly task: Task & { kind: "execute" } }[] = [];
  for (const async of [true, false]) {
    for (const [place, at] of Object.entries(places)) {
      const { id: flowId } = await storedFlow(actor, [logNode]);
      const task = { kind: "execute", flowId, async, key: randomUUID() } as const;
      await holdAt(child, at(task.key), task);
      tasks.push({ place, task });
    }
  }
  await kill(child);
  await whileRunsAreTaken(async () => {
    for (const { place, task } of tasks) {
      const answer = await eventually("the dead process's lease runs out", async () => {
        try {
          return await perform(actor, task);
        } catch (error) {
          expect(error).toMatchObject({ code: "CONFLICT" });
          return undefined;
        }
      });
      expect([place, answer]).toMatchObject([place, { status: task.async ? 202 : 200 }]);
      expect(await perform(actor, task)).toEqual(answer);
      expect([place, await countOf("execution WHERE flow_id", task.flowId)]).toEqual([place, 1]);
    }
  });
}, 180_000);

test("a started deletion or cancellation is finished", async () => {
  const child = start();
  const places: ((flowId: string, ended: string) => HeldStatement)[] = [
    (flowId) => ({ contains: ["open-runs", flowId], side: "before" }),
    (_, ended) => ({ contains: ["lock-executions", ended], side: "before" }),
    (flowId) => ({ contains: ["DELETE", "flow_version", flowId], side: "before" }),
  ];
  const deleted: string[] = [];
  for (const at of places) {
    const flow = await storedFlow(actor);
    const [ended] = [await storedExecution(flow, "me"), await storedExecution(flow, "me")];
    await finishExecution(finished(ended, null));
    await holdAt(child, at(flow.id, ended), { kind: "delete", flowId: flow.id });
    deleted.push(flow.id);
  }
  const flow = await storedFlow(actor);
  const [parent, waited] = [await storedExecution(flow, "me"), await storedExecution(flow, "me")];
  const state = { executionId: waited };
  await recordWait({ id: parent, fence: 1 }, "call", { kind: "execution", until: null, state });
  await holdAt(child, { contains: ["waited-for", parent], side: "before" }, { kind: "cancel", executionId: parent });
  await kill(child);
  for (const id of deleted) expect(await countOf("flow WHERE id", id)).toBe(0);

  // Skips the minute for which the work is left to its process.
  await direct.query("UPDATE flow_deletion SET look_at = now() - interval '1 second'");
  await finishInterrupted();
  for (const id of deleted) {
    expect(await countOf("execution WHERE flow_id", id)).toBe(0);
    expect(await countOf("flow_version WHERE flow_id", id)).toBe(0);
  }
  expect(await countOf("execution WHERE status = 'cancelled' AND id", parent)).toBe(1);
  expect(await countOf("execution WHERE status = 'cancelled' AND id", waited)).toBe(1);
}, 180_000);
