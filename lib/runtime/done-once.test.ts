// Work with an Idempotency-Key is done once, whichever statement the connection or the process dies at.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newActor, type ProxiedDatabase, useProxiedDatabase } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { onceOnly } from "#lib/auth/idempotency.ts";
import { bulkCancel, bulkDelete } from "#lib/executions/bulk.ts";
import { cancelExecution } from "#lib/executions/cancel-execution.ts";
import { finishExecution } from "#lib/executions/store/finish-execution.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { recordWait } from "#lib/executions/store/record-wait.ts";
import { finished, nodeRecord, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { resumeNode } from "./drive/resume.ts";
import { worker } from "./embedded/worker.ts";
import { bulkRetry } from "./start/bulk-retry.ts";
import { executeFlow } from "./start/execute-flow.ts";
import { retryExecution } from "./start/start-again.ts";

let own: ProxiedDatabase;
let actor: Actor;
let flow: StartedFlow;
let original: string;
beforeAll(async () => {
  // For an end that cannot be stored: the database stays away until the caller has given up.
  process.env.SYNC_WAIT_MS = "3000";
  own = await useProxiedDatabase();
  actor = await newActor();
});
afterAll(async () => {
  await worker().drain();
  await own?.drop();
});

const node = (id: string, type: string, config = {}) => ({ id, type, name: id, config, position: { x: 0, y: 0 } });
const nodes = [node("a", "log", { message: "a" }), node("b", "log", { message: "b" })];

beforeEach(async () => {
  flow = await storedFlow(actor, nodes, [{ id: "e", source: "a", target: "b" }]);
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

type Act = (as: Actor) => Promise<unknown>;

interface Work {
  /** Sets up the act and returns it. */
  begin(): Promise<Act> | Act;
  /** Query for how often it was done. */
  readonly count: string;
}

/** A waiting run, which no worker claims. */
async function openRun(of = flow): Promise<string> {
  const id = await storedExecution(of, "me");
  const release = "UPDATE execution SET lease_until = NULL, wake_at = now() + interval '1 day' WHERE id = $1";
  await own.direct.query(release, [id]);
  return id;
}

async function endedRun(): Promise<string> {
  const id = await storedExecution(flow);
  await finishExecution(finished(id, null));
  return id;
}

async function waitingRun(): Promise<string> {
  const id = await openRun(await storedFlow(actor, [node("wait", "wait")]));
  await recordWait({ id, fence: 1 }, "wait", { kind: "call", until: null, state: { form: null } });
  return id;
}

const runs = "SELECT count(*)::int AS n FROM execution WHERE flow_id = $1 AND id <> $2";
const flows = "SELECT count(*)::int AS n FROM flow WHERE name = 'Another' AND $1 <> $2";
const entries = (verb: string) =>
  `SELECT count(*)::int AS n FROM audit_entry WHERE action = 'executions.${verb}' AND $1 <> $2`;
const resumed = "SELECT count(*)::int AS n FROM execution_wait WHERE resumed_at IS NOT NULL AND $1 <> $2";
const many = (id: string) => ({ executionIds: [id], dryRun: false });
const works: Readonly<Record<string, Work>> = {
  "a run in the background": { begin: () => (as) => executeFlow(as, flow.id, body, caller), count: runs },
  "a run whose caller waits": {
    begin: () => (as) => executeFlow(as, flow.id, { ...body, async: false }, caller),
    count: runs,
  },
  "a run to one node": {
    begin: () => (as) => executeFlow(as, flow.id, { ...body, untilNode: "a" }, caller),
    count: runs,
  },
  "a retry": { begin: () => (as) => retryExecution(as, original, {}, caller), count: runs },
  "a retry from a node": { begin: () => (as) => retryExecution(as, original, { fromNode: "b" }, caller), count: runs },
  "a retry of many": { begin: () => (as) => bulkRetry(as, many(original), caller), count: runs },
  "a new flow": { begin: () => (as) => createFlow(as, another), count: flows },
  "a deletion of many": {
    begin: async () => {
      const id = await endedRun();
      return (as) => bulkDelete(as, many(id));
    },
    count: entries("deleted"),
  },
  "a wait that is resumed": {
    begin: async () => {
      const id = await waitingRun();
      return (as) => resumeNode(as, id, "wait", null, { yes: true });
    },
    count: resumed,
  },
};
/** Retried while the database may be unavailable, so it survives a connection that is cut permanently. */
const patient: Readonly<Record<string, Work>> = {
  "a cancellation": {
    begin: async () => {
      const id = await openRun();
      return (as) => cancelExecution(as, id, null);
    },
    count: entries("cancelled"),
  },
  "a cancellation of many": {
    begin: async () => {
      const id = await openRun();
      return (as) => bulkCancel(as, many(id));
    },
    count: entries("cancelled"),
  },
};

/** Repeats the same request as often as needed, like a client. */
async function perform(act: Act, key: string): Promise<{ answer: unknown; tries: number }> {
  for (let tries = 1; ; tries += 1) {
    try {
      return { answer: await request(act, key), tries };
    } catch (error) {
      if (tries === 5) throw error;
      own.proxy.disarm();
      // Expires the lease of a dead process.
      await own.direct.query("UPDATE idempotency_key SET lease_until = now() - interval '1 second' WHERE key = $1", [
        key,
      ]);
    }
  }
}

async function request(act: Act, key: string, given: unknown = {}): Promise<unknown> {
  const bodyHash = JSON.stringify(given);
  const made = { workspaceId: actor.workspaceId, key, path: "POST /v1/test", bodyHash };
  return onceOnly(made, {
    answer: (once) => act({ ...actor, once }),
    keep: async (answer) => ({ status: 200, headers: [], body: JSON.stringify(answer) }),
    replay: (answer) => JSON.parse(answer.body ?? "null"),
  });
}

/** How many statements it takes. */
async function statementsOf(work: Work): Promise<number> {
  const act = await work.begin();
  own.proxy.arm(0);
  await perform(act, randomUUID());
  return own.proxy.disarm();
}

async function countOf({ count }: Work): Promise<number> {
  const { rows } = await own.direct.query<{ n: number }>(count, [flow.id, original]);
  return rows[0]?.n ?? 0;
}

/** The part of an answer that must be the same when repeated. */
const idOf = (answer: unknown) => {
  const { payload = answer } = answer as { payload?: unknown };
  const { executionId, id, done, cancelledAt, resumedAt } = payload as Record<string, unknown>;
  return [executionId, id, done, cancelledAt, resumedAt];
};

describe.each(Object.entries({ ...works, ...patient }))("%s", (_, work) => {
  test("is done once, whichever statement loses its connection", async () => {
    const statements = await statementsOf(work);
    expect(statements).toBeGreaterThan(3);
    for (let index = 1; index <= statements; index += 1) {
      for (const side of ["before", "after"] as const) {
        const before = await countOf(work);
        const key = randomUUID();
        const act = await work.begin();
        own.proxy.arm(index, side);
        const first = await perform(act, key);
        own.proxy.disarm();
        expect([index, side, await countOf(work)]).toEqual([index, side, before + 1]);
        const repeated = await perform(act, key);
        expect([index, side, idOf(repeated.answer)]).toEqual([index, side, idOf(first.answer)]);
        expect([index, side, await countOf(work)]).toEqual([index, side, before + 1]);
      }
    }
  }, 180_000);
});

describe.each(Object.entries(works))("%s in a process that dies", (_, work) => {
  test("is done once, whichever two statements it dies between", async () => {
    const statements = await statementsOf(work);
    for (let index = 2; index <= statements; index += 1) {
      const before = await countOf(work);
      const key = randomUUID();
      const act = await work.begin();
      // From here on, nothing that it sends arrives, as if it had been killed.
      own.proxy.arm(index, "before", { forGood: true });
      await request(act, key).catch(() => {});
      own.proxy.disarm();
      await own.direct.query("UPDATE idempotency_key SET lease_until = now() - interval '1 second' WHERE key = $1", [
        key,
      ]);
      await perform(act, key);
      expect([index, await countOf(work)]).toEqual([index, before + 1]);
    }
  }, 180_000);
});

describe("a key", () => {
  test("with recorded work is not given to another request, even if the acknowledgement was lost", async () => {
    const key = randomUUID();
    const act = async (as: Actor) => {
      await createFlow(as, another);
      throw new Error("the process is out of memory");
    };
    await expect(request(act, key, { n: 1 })).rejects.toThrow("out of memory");
    await expect(request(act, key, { n: 2 })).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("is held while its owner lives, and free once its lease has expired", async () => {
    const key = randomUUID();
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = request(async () => await promise, key);
    const second = () => request(async () => "mine", key);
    await expect.poll(() => second().catch((error) => error.code)).toBe("CONFLICT");
    await own.direct.query("UPDATE idempotency_key SET lease_until = now() - interval '1 second' WHERE key = $1", [
      key,
    ]);
    expect(await second()).toBe("mine");
    resolve();
    await first;
    expect(await second()).toBe("mine");
  });

  test("claimed by another request does nothing for the first", async () => {
    const key = randomUUID();
    const before = await own.direct.query("SELECT count(*) FROM flow");
    const late = async (as: Actor) => {
      await own.direct.query("UPDATE idempotency_key SET owner = 'another' WHERE key = $1", [key]);
      return await createFlow(as, another);
    };
    await expect(request(late, key)).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await own.direct.query("SELECT count(*) FROM flow")).rows).toEqual(before.rows);
  });
});
