// Each item that a poll finds starts one run, however many processes poll and wherever one dies. A failed poll only
// costs time.
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { newActor, type ProxiedDatabase, useProxiedDatabase } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { createCredential } from "#lib/credentials/credentials.ts";
import type { FlowTrigger } from "#lib/engine/flow.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { deleteFlow } from "#lib/flows/delete-flow.ts";
import { pollNow, pollState } from "#lib/flows/polls/stored-poll.ts";
import { updateFlow } from "#lib/flows/update-flow.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";
import { pollDue } from "./polls.ts";

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

let own: ProxiedDatabase;
let server: Server;
let source: string;
let actor: Actor;
let answer: (request: IncomingMessage) => Answer;
let requests: IncomingMessage[] = [];

beforeAll(async () => {
  process.env.OUTBOUND_ALLOW = "127.0.0.1";
  own = await useProxiedDatabase();
  server = createServer((request, response) => {
    requests.push(request);
    const { status = 200, headers, body = [] } = answer(request);
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(status === 304 ? undefined : text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
beforeEach(async () => {
  actor = await newActor();
  requests = [];
  answer = () => ({ body: [] });
  await own.direct.query("DELETE FROM flow_poll");
});
afterAll(async () => {
  await outsideWorld().sandbox.close();
  await outsideWorld().outbound.close();
  await own?.drop();
  server?.close();
});

const flowOf = (trigger: { type: FlowTrigger["type"]; config: object }, status = "active") =>
  createFlow(actor, {
    name: "Looking",
    status: status as "active",
    tags: [],
    variables: { page: 3 },
    trigger: trigger as FlowTrigger,
    nodes: [],
    edges: [],
  });
const polling = (config: object = {}, status?: string) => {
  const given = { everyMs: 30_000, request: { url: source }, items: "$response.body", key: "$item.id", ...config };
  return flowOf({ type: "poll", config: given }, status);
};

/** Makes the flows due, then polls. */
async function pollAll(): Promise<number> {
  await own.direct.query("UPDATE flow_poll SET next_at = now() - interval '1 second', lease_until = NULL");
  return await pollDue();
}

/** The inputs of a flow's runs, in order. */
async function startedWith(flowId: string): Promise<unknown[]> {
  const text = "SELECT trigger FROM execution WHERE flow_id = $1 ORDER BY started_at, id";
  return (await own.direct.query<{ trigger: string }>(text, [flowId])).rows.map(
    ({ trigger }) => JSON.parse(trigger).body,
  );
}
const ids = async (flowId: string) => (await startedWith(flowId)).map((body) => (body as { id: unknown }).id);
const items = (...given: unknown[]) => {
  answer = () => ({ body: given.map((id) => ({ id })) });
};

describe("a poll", () => {
  // Proves triggers.poll-first
  test("starts nothing for items that exist at first, then one run for each new item", async () => {
    items(1, 2);
    const { id } = await polling();
    await pollAll();
    expect(await startedWith(id)).toEqual([]);
    items(1, 2, 3, 4, 3);
    await pollAll();
    await pollAll();
    expect(await ids(id)).toEqual([3, 4]);
    const { rows } = await own.direct.query("SELECT trigger_type, source, status FROM execution WHERE flow_id = $1", [
      id,
    ]);
    expect(rows[0]).toEqual({ trigger_type: "poll", source: "poll", status: "pending" });
    expect(await pollState(id)).toMatchObject({ items: 4, failures: 0, error: null });
  });

  test("starts runs for existing items if configured", async () => {
    items("a", "b");
    const { id } = await polling({ fromNow: false });
    await pollAll();
    expect(await ids(id)).toEqual(["a", "b"]);
  });

  test("polls when it is due, and sooner only on request", async () => {
    const { id } = await polling();
    expect(await pollDue()).toBe(1);
    expect(await pollDue()).toBe(0);
    await pollNow(actor, id);
    expect(await pollDue()).toBe(1);
    await expect(pollNow(await newActor(), id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await updateFlow(actor, id, { status: "inactive" }, null);
    await expect(pollNow(actor, id)).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("starts one run for all new items if configured", async () => {
    const { id } = await polling({ batch: true, fromNow: false });
    items(1, 2);
    await pollAll();
    await pollAll();
    items(1, 2, 3);
    await pollAll();
    expect(await startedWith(id)).toEqual([[{ id: 1 }, { id: 2 }], [{ id: 3 }]]);
  });

  test("starts a run for each change of an item in mode `changed`", async () => {
    const { id } = await polling({ mode: "changed" });
    const states = ["open", "open", "paid", "paid", "open"];
    for (const state of states) {
      answer = () => ({ body: [{ id: 1, state }] });
      await pollAll();
    }
    expect(await startedWith(id)).toEqual([
      { id: 1, state: "paid" },
      { id: 1, state: "open" },
    ]);
  });

  test("identifies items without a key by their content, and distinguishes keys by type", async () => {
    const { id } = await polling({ fromNow: false });
    answer = () => ({ body: [{ n: 1 }, { n: 1 }, { n: 2 }, { id: 1 }, { id: "1" }, { id: null, n: 3 }] });
    await pollAll();
    await pollAll();
    expect(await startedWith(id)).toHaveLength(5);
  });

  test("keeps U+0000 and lone surrogates", async () => {
    const { id } = await polling({ fromNow: false });
    const body = '[{"id": "a\\u0000"}, {"id": "a\\ud800"}, {"id": "a\\ufffd"}]';
    answer = () => ({ body });
    await pollAll();
    await pollAll();
    expect(await ids(id)).toEqual(["a\u0000", "a\ud800", "a\ufffd"]);
  });

  test("sends its request with the credential, reads variables, and masks the credential's value in runs", async () => {
    await createCredential(actor, { name: "shop", type: "bearer", data: { token: "very-secret-token" } });
    const request = { url: source, query: { page: "{{ $vars.page }}" }, credential: "shop" };
    const { id } = await polling({ request, fromNow: false });
    answer = ({ headers }) => ({ body: [{ id: 1, echo: headers.authorization }] });
    await pollAll();
    expect(requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ["/?page=3", "Bearer very-secret-token"],
    ]);
    expect(await startedWith(id)).toEqual([{ id: 1, echo: "Bearer •••" }]);
    answer = ({ headers }) => ({ status: 500, body: `no ${headers.authorization}` });
    await pollAll();
    const { error } = (await pollState(id)) ?? {};
    expect(error).toContain("answered 500");
    expect(error).not.toContain("very-secret-token");
  });

  test("evaluates anything but paths in the sandbox", async () => {
    const { id } = await polling({
      items: "$response.body.filter((one) => one.ok)",
      key: "{{ (() => { let text = ''; for (const part of [$item.id, $index]) text += part; return text; })() }}",
      fromNow: false,
    });
    answer = () => ({ body: [{ id: "a", ok: true }, { id: "b" }, { id: "a", ok: true }] });
    await pollAll();
    expect(await ids(id)).toEqual(["a", "a"]);
  });
});

describe("a poll that fails", () => {
  const wrong: [string, () => Answer, object, string][] = [
    ["a status", () => ({ status: 503, body: "closed" }), {}, "answered 503: closed"],
    ["no list", () => ({ body: { items: 1 } }), {}, "items: must be a list, but is an object"],
    ["no JSON", () => ({ body: "[1" }), {}, "items: must be a list, but is a string"],
    ["nothing", () => ({ body: {} }), { items: "$response.body.a.b" }, "items:"],
    ["a key that throws", () => ({ body: [{}] }), { key: "$item.a.b" }, "key: failed for item 0"],
    ["an endless key", () => ({ body: [{}] }), { key: "(() => { for (;;); })()" }, "key:"],
    ["JSON nested too deeply", () => ({ body: "[".repeat(5_000) }), {}, "nested deeper"],
  ];
  test.each(wrong)(
    "for %s is reported, starts nothing, and keeps what was seen",
    async (_, failing, config, message) => {
      items(1);
      const { id } = await polling(config);
      if (!("items" in config || "key" in config)) await pollAll();
      answer = failing;
      await pollAll();
      expect((await pollState(id))?.error).toContain(message);
      expect(await startedWith(id)).toEqual([]);
    },
  );

  // Proves triggers.poll-fails
  test("backs off, up to an hour, until one succeeds", async () => {
    items(1);
    const { id } = await polling();
    await pollAll();
    answer = () => ({ status: 500 });
    const waits: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      await pollAll();
      const [row] = (await own.direct.query("SELECT extract(epoch FROM next_at - now()) AS s FROM flow_poll")).rows;
      waits.push(Math.round(Number(row.s) / 30) * 30);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
    expect(await pollState(id)).toMatchObject({ failures: 9 });
    items(1, 2);
    await pollAll();
    expect(await pollState(id)).toMatchObject({ failures: 0, error: null });
    expect(await ids(id)).toEqual([2]);
  });

  test("is reported if its URL is not allowed", async () => {
    const { id } = await polling({ request: { url: "http://10.0.0.1/" } });
    await pollAll();
    expect((await pollState(id))?.error).toContain("Blocked address");
  });
});

describe("the seen items of a flow", () => {
  test("are kept when something else in the flow changes, and reset for another source", async () => {
    items(1);
    const { id } = await polling();
    await pollAll();
    await updateFlow(actor, id, { name: "Other" }, null);
    const trigger = (config: object) => ({
      type: "poll" as const,
      config: { everyMs: 60_000, request: { url: source }, items: "$response.body", key: "$item.id", ...config },
    });
    await updateFlow(actor, id, { trigger: trigger({}) as never }, null);
    items(1, 2);
    await pollAll();
    expect(await ids(id)).toEqual([2]);
    await updateFlow(actor, id, { trigger: trigger({ key: "String($item.id)" }) as never }, null);
    await pollAll();
    expect(await ids(id)).toEqual([2]);
    expect((await own.direct.query("SELECT key FROM polled_item WHERE flow_id = $1", [id])).rows).toHaveLength(2);
  });

  test("are deleted with the flow, and when it is no longer active", async () => {
    items(1);
    const flows = [await polling(), await polling()];
    await pollAll();
    await updateFlow(actor, flows[0]?.id ?? "", { status: "inactive" }, null);
    await deleteFlow(actor, flows[1]?.id ?? "", { deleteExecutions: false, ifMatch: null });
    expect((await own.direct.query("SELECT * FROM polled_item")).rows).toEqual([]);
    expect((await own.direct.query("SELECT * FROM flow_poll")).rows).toEqual([]);
  });

  test("are bounded: the oldest ones no longer in the source are dropped, and none that still are", async () => {
    items(1, 2);
    const { id } = await polling();
    await pollAll();
    await own.direct.query(
      `INSERT INTO polled_item (flow_id, key, seen_at)
       SELECT $1, 'old' || n, now() - interval '1 day' FROM generate_series(1, 200000) n`,
      [id],
    );
    items(1, 2, 3);
    await pollAll();
    const [row] = (await own.direct.query("SELECT count(*)::int AS n FROM polled_item WHERE flow_id = $1", [id])).rows;
    expect(row.n).toBe(150_000);
    await pollAll();
    expect(await ids(id)).toEqual([3]);
  });
});

describe("each item starts one run", () => {
  test("with several processes at once", async () => {
    const { id } = await polling({ fromNow: false });
    items(...Array.from({ length: 120 }, (_, n) => n));
    await Promise.all(Array.from({ length: 4 }, () => pollDue()));
    await pollAll();
    expect((await ids(id)).toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 120 }, (_, n) => n));
  });

  test("when another process takes over a poll in progress", async () => {
    const { id } = await polling({ fromNow: false });
    items(1, 2, 3);
    const { release, reached } = held();
    const slow = pollDue();
    await reached;
    answer = () => ({ body: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    await pollAll();
    release();
    await slow;
    expect(await ids(id)).toEqual([1, 2, 3]);
  });

  test("whichever statement the process dies at", async () => {
    items(1, 2);
    await polling({ fromNow: false });
    own.proxy.arm(0);
    await pollDue();
    const statements = own.proxy.disarm();
    expect(statements).toBeGreaterThan(5);
    for (let index = 1; index <= statements; index += 1) {
      for (const side of ["before", "after"] as const) {
        actor = await newActor();
        await own.direct.query("DELETE FROM flow_poll");
        const { id } = await polling({ fromNow: false });
        own.proxy.arm(index, side);
        await pollDue().catch(() => {});
        own.proxy.disarm();
        await pollAll();
        expect([index, side, await ids(id)]).toEqual([index, side, [1, 2]]);
      }
    }
  });

  test("while the flow is active, and none once it is not", async () => {
    const { id } = await polling({ fromNow: false });
    const { release, reached } = held();
    const slow = pollDue();
    await reached;
    await updateFlow(actor, id, { status: "inactive" }, null);
    release();
    await slow;
    expect(await startedWith(id)).toEqual([]);
  });
});

/** Makes the next request wait for `release`. */
function held(): { release(): void; readonly reached: Promise<void> } {
  let free: () => void = () => {};
  let arrived: () => void = () => {};
  const reached = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const [listener] = server.listeners("request");
  server.removeAllListeners("request");
  server.once("request", (request, response) => {
    server.on("request", listener as never);
    free = () => response.writeHead(200, { "content-type": "application/json" }).end('[{"id":1},{"id":2},{"id":3}]');
    request.resume();
    arrived();
  });
  return { release: () => free(), reached };
}

describe("a flow is not active", () => {
  test.each([
    [{ everyMs: 29_999 }, "everyMs"],
    [{ everyMs: null }, "everyMs"],
    [{ everyMs: null, cron: "no" }, "cron"],
    [{ everyMs: null, cron: "*/5 * * * * *" }, "cron"],
    [{ cron: "0 * * * *" }, "everyMs"],
    [{ request: undefined }, "request"],
    [{ request: {} }, "request.url"],
    [{ request: { url: "http://a", method: "NONE" } }, "request.method"],
    [{ request: { url: "{{ $trigger.body }}" } }, "request.url"],
    [{ request: { url: "http://a", credential: "none\u0000" } }, "request.credential"],
    [{ request: { url: `http://a/${"x".repeat(70_000)}` } }, "request"],
    [{ items: "$response." }, "items"],
    [{ items: "$node.output" }, "items"],
    [{ items: 1 }, "items"],
    [{ key: "x".repeat(9_000) }, "key"],
    [{ mode: "all" }, "mode"],
    [{ batch: "yes" }, "batch"],
  ])("with %.60j", async (config, field) => {
    const details = { [`trigger.config.${field}`]: expect.any(String) };
    await expect(polling(config)).rejects.toMatchObject({ code: "VALIDATION_ERROR", details });
    await polling(config, "draft");
  });

  test("with another workspace's credential", async () => {
    await createCredential(await newActor(), { name: "theirs", type: "bearer", data: { token: "very-secret-token" } });
    await expect(polling({ request: { url: source, credential: "theirs" } })).rejects.toMatchObject({
      details: { "trigger.config.request.credential": 'there is no credential named "theirs"' },
    });
  });
});

describe("an answer of the largest size", () => {
  test("of 100,000 items does not block the event loop", async () => {
    const { id } = await polling({ items: "$response.body.list", mode: "changed" });
    const list = Array.from({ length: 100_000 }, (_, n) => ({ id: n, name: "x".repeat(20) }));
    const body = JSON.stringify({ list });
    answer = () => ({ body });
    for (let n = 0; n < 2; n += 1) expect(await longestTurn(pollAll)).toBeLessThan(100);
    expect(await pollState(id)).toMatchObject({ items: 100_000, error: null });
    list.push({ id: -1, name: "" });
    const extended = JSON.stringify({ list });
    answer = () => ({ body: extended });
    await pollAll();
    expect((await pollState(id))?.error).toContain("more than 100000");
  });

  test("has the sandbox's limits if the sandbox has to evaluate it", async () => {
    const { id } = await polling({ items: "$response.body.filter((one) => one.id > 5)" });
    const body = JSON.stringify(Array.from({ length: 100_000 }, (_, n) => ({ id: n, name: "x".repeat(20) })));
    answer = () => ({ body });
    expect(await longestTurn(pollAll)).toBeLessThan(100);
    expect((await pollState(id))?.error).toContain("items:");
  });
});
