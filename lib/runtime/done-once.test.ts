// What is asked for under an Idempotency-Key is done once, whichever statement the connection or the process dies at.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type CuttingProxy, cuttingProxy } from "#e2e/support/cutting-proxy.ts";
import { newActor, useOwnDatabase } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { onceOnly } from "#lib/auth/idempotency.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { finished, nodeRecord, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { worker } from "./embedded/worker.ts";
import { bulkRetry } from "./start/bulk-retry.ts";
import { executeFlow } from "./start/execute-flow.ts";
import { retryExecution } from "./start/start-again.ts";

let own: { drop(): Promise<void> };
let proxy: CuttingProxy;
/** A way to the database that nothing cuts. */
let direct: pg.Client;
let actor: Actor;
let flow: StartedFlow;
let original: string;
beforeAll(async () => {
  own = await useOwnDatabase();
  direct = new pg.Client(process.env.DATABASE_URL);
  await direct.connect();
  proxy = await cuttingProxy(process.env.DATABASE_URL ?? "");
  process.env.DATABASE_URL = proxy.url;
  actor = await newActor();
}, 60_000);
afterAll(async () => {
  await worker().drain();
  await direct?.end();
  await own?.drop();
  await proxy?.close();
});

const logNode = (id: string) => ({ id, type: "log", name: id, config: { message: id }, position: { x: 0, y: 0 } });

beforeEach(async () => {
  flow = await storedFlow(actor, [logNode("a"), logNode("b")], [{ id: "e", source: "a", target: "b" }]);
  original = await storedExecution(flow);
  await finishExecution(finished(original, null, { nodes: [nodeRecord("a"), nodeRecord("b", { position: 1 })] }));
});

const caller = { ip: null, userAgent: null };
const body = { data: { n: 1 }, metadata: {}, async: true };
const another = {
  name: "Another",
  status: "draft" as const,
  tags: [],
  variables: {},
  trigger: { type: "manual" as const, config: {} },
  nodes: [],
  edges: [],
};

interface Work {
  act(as: Actor): Promise<unknown>;
  /** How often it was done. */
  readonly count: string;
}

const runs = "SELECT count(*)::int AS n FROM execution WHERE flow_id = $1 AND id <> $2";
const flows = "SELECT count(*)::int AS n FROM flow WHERE name = 'Another' AND $1 <> $2";
const works: Readonly<Record<string, Work>> = {
  "a run in the background": { act: (as) => executeFlow(as, flow.id, body, caller), count: runs },
  "a run whose caller waits": { act: (as) => executeFlow(as, flow.id, { ...body, async: false }, caller), count: runs },
  "a run to one node": { act: (as) => executeFlow(as, flow.id, { ...body, untilNode: "a" }, caller), count: runs },
  "a retry": { act: (as) => retryExecution(as, original, {}, caller), count: runs },
  "a retry from a node": { act: (as) => retryExecution(as, original, { fromNode: "b" }, caller), count: runs },
  "a retry of many": {
    act: (as) => bulkRetry(as, { executionIds: [original], dryRun: false }, caller),
    count: runs,
  },
  "a new flow": { act: (as) => createFlow(as, another), count: flows },
};

/** The same request as often as it takes, as a client would. */
async function ask({ act }: Work, key: string): Promise<{ answer: unknown; tries: number }> {
  for (let tries = 1; ; tries += 1) {
    try {
      return { answer: await request(act, key), tries };
    } catch (error) {
      if (tries === 5) throw error;
      proxy.disarm();
      // As time does, to the lease of a process that died.
      await direct.query("UPDATE idempotency_key SET lease_until = now() - interval '1 second' WHERE key = $1", [key]);
    }
  }
}

function request(act: Work["act"], key: string, given: unknown = {}): Promise<unknown> {
  const made = { workspaceId: actor.workspaceId, key, path: "POST /v1/test", body: given };
  return onceOnly(made, {
    answer: (once) => act({ ...actor, once }),
    keep: async (answer) => ({ status: 200, headers: [], body: JSON.stringify(answer) }),
    again: (answer) => JSON.parse(answer.body ?? "null"),
  });
}

async function countOf({ count }: Work): Promise<number> {
  const { rows } = await direct.query<{ n: number }>(count, [flow.id, original]);
  return rows[0]?.n ?? 0;
}

/** What of an answer must be the same when it is given again. */
const idOf = (answer: unknown) => {
  const { payload = answer } = answer as { payload?: unknown };
  const { executionId, id, done } = payload as { executionId?: string; id?: string; done?: number };
  return executionId ?? id ?? done;
};

describe.each(Object.entries(works))("%s", (_, work) => {
  test("is done once, whichever statement loses its connection", async () => {
    proxy.arm(0);
    await ask(work, randomUUID());
    const statements = proxy.disarm();
    expect(statements).toBeGreaterThan(3);
    for (let nth = 1; nth <= statements; nth += 1) {
      for (const side of ["before", "after"] as const) {
        const before = await countOf(work);
        const key = randomUUID();
        proxy.arm(nth, side);
        const first = await ask(work, key);
        proxy.disarm();
        expect([nth, side, await countOf(work)]).toEqual([nth, side, before + 1]);
        const again = await ask(work, key);
        expect([nth, side, idOf(again.answer)]).toEqual([nth, side, idOf(first.answer)]);
        expect([nth, side, await countOf(work)]).toEqual([nth, side, before + 1]);
      }
    }
  }, 180_000);
});

describe.each(Object.entries(works))("%s whose process dies", (_, work) => {
  test("is done once, whichever two statements it dies between", async () => {
    proxy.arm(0);
    await ask(work, randomUUID());
    const statements = proxy.disarm();
    for (let nth = 2; nth <= statements; nth += 1) {
      const before = await countOf(work);
      const key = randomUUID();
      // Nothing that it sends from there on arrives, as if it were killed.
      proxy.arm(nth, "before", { forGood: true });
      await request(work.act, key).catch(() => {});
      proxy.disarm();
      await direct.query("UPDATE idempotency_key SET lease_until = now() - interval '1 second' WHERE key = $1", [key]);
      await ask(work, key);
      expect([nth, await countOf(work)]).toEqual([nth, before + 1]);
    }
  }, 180_000);
});

describe("a key", () => {
  test("that something was done under is not another request's, though the answer was lost", async () => {
    const key = randomUUID();
    const act = async (as: Actor) => {
      await createFlow(as, another);
      throw new Error("the process is out of memory");
    };
    await expect(request(act, key, { n: 1 })).rejects.toThrow("out of memory");
    await expect(request(act, key, { n: 2 })).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("is held while its owner lives, and free when its lease has run out", async () => {
    const key = randomUUID();
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = request(async () => await promise, key);
    const second = () => request(async () => "mine", key);
    await expect.poll(() => second().catch((error) => error.code)).toBe("CONFLICT");
    await direct.query("UPDATE idempotency_key SET lease_until = now() - interval '1 second' WHERE key = $1", [key]);
    expect(await second()).toBe("mine");
    resolve();
    await first;
    expect(await second()).toBe("mine");
  });

  test("that another request has by now does nothing", async () => {
    const key = randomUUID();
    const before = await direct.query("SELECT count(*) FROM flow");
    const late = async (as: Actor) => {
      await direct.query("UPDATE idempotency_key SET owner = 'another' WHERE key = $1", [key]);
      return await createFlow(as, another);
    };
    await expect(request(late, key)).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await direct.query("SELECT count(*) FROM flow")).rows).toEqual(before.rows);
  });
});
