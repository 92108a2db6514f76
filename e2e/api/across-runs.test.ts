// What runs share: events that wake them, limits, and what was there before; and the crypto node with its keys.
import { createHmac, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Answer, call, get, post } from "#e2e/support/api-client.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { createFlow, edge, ended, execute, node, readExecution, start, transform } from "#e2e/support/flows.ts";
import { newTenant } from "#e2e/support/matrix/own-resources.ts";
import { expectInvalid } from "#e2e/support/refusals.ts";

let made = 0;
const newKey = () => {
  made += 1;
  return `key ${process.pid} ${made}`;
};
const sendEvent = (key: string, data?: unknown, headers = {}) =>
  post<{ id: string; key: string; createdAt: string }>("/events", { key, data }, { headers });
/** A flow that waits for the key that it is started with. */
const waitingFlow = (config: object = {}, nodes: object[] = [], edges: object[] = []) =>
  createFlow({
    nodes: [node("wait", "wait-for", { key: "{{ $trigger.body.key }}", ...config }), ...nodes] as never,
    edges: edges as never,
  });
const isWaiting = (id: string) =>
  eventually(`${id} waits`, async () => {
    const { nodes } = await readExecution(id);
    return nodes.some(({ nodeId, status }) => nodeId === "wait" && status === "running") || undefined;
  });

describe("an event", () => {
  // Proves events.wake, nodes.wait-for
  it("wakes every run that waits for its key, once, with its data", async () => {
    const [key, { id }] = [newKey(), await waitingFlow()];
    const runs = await Promise.all(Array.from({ length: 5 }, () => start(id, { key })));
    const other = await start(id, { key: newKey() });
    for (const run of [...runs, other]) await isWaiting(run);
    const { status, data } = await sendEvent(key, { amount: 5 });
    expect([status, data.key]).toEqual([202, key]);
    for (const run of runs) expect(await ended(run)).toMatchObject({ status: "completed", output: { amount: 5 } });
    expect((await readExecution(other)).status).toBe("running");
  });

  // Proves events.early
  it("that came after the run had started counts; one from before it does not", async () => {
    const key = newKey();
    const nodes = [node("pause", "delay", { ms: 700 }), node("wait", "wait-for", { key })];
    const { id } = await createFlow({ nodes, edges: [edge("pause", "wait")] });
    await sendEvent(key, "before");
    const run = await start(id);
    await sendEvent(key, "early");
    expect(await ended(run)).toMatchObject({ status: "completed", output: "early" });
  });

  it("is taken once by a run with several steps, which take several events in their order", async () => {
    const key = newKey();
    const wait = node("wait", "wait-for", { key });
    const { id } = await createFlow({
      nodes: [node("l", "loop", { items: [1, 2, 3], concurrency: 3, body: { nodes: [wait], edges: [] } })],
    });
    const run = await start(id);
    for (const data of ["a", "b", "c"]) await sendEvent(key, data);
    const { output } = (await ended(run)) as { output: { results?: unknown[] } | unknown[] };
    const values = JSON.stringify(output).match(/"[abc]"/g) ?? [];
    expect(values.toSorted()).toEqual(['"a"', '"b"', '"c"']);
  });

  // Proves events.once
  it("sent twice under an Idempotency-Key is one", async () => {
    const key = newKey();
    const once = { "idempotency-key": `event ${key}` };
    const [first, again] = [await sendEvent(key, 1, once), await sendEvent(key, 1, once)];
    expect(again.data).toEqual(first.data);
    const different = await sendEvent(key, 2, once);
    expect(different.error.code).toBe("CONFLICT");
  });

  it("of another workspace wakes nobody", async () => {
    const [key, { id }, theirs] = [newKey(), await waitingFlow(), await newTenant("Event")];
    const run = await start(id, { key });
    await isWaiting(run);
    expect((await call("POST", "/events", { key, data: "theirs" }, { key: theirs.key })).status).toBe(202);
    await sendEvent(key, "ours");
    expect(await ended(run)).toMatchObject({ output: "ours" });
  });

  it.each<[string, unknown, string]>([
    ["no key", {}, "key"],
    ["an empty key", { key: "" }, "key"],
    ["a key with U+0000", { key: "\u0000" }, "key"],
    ["a key with half a character", { key: "\ud800" }, "key"],
    ["a long key", { key: "x".repeat(201) }, "key"],
    ["too much data", { key: "k", data: "é".repeat(40_000) }, "data"],
  ])("with %s is refused", async (_, body, field) => {
    expectInvalid(await post("/events", body), field);
  });

  it("carries any JSON", async () => {
    const { id } = await waitingFlow();
    for (const data of [null, 0, "\u0000 and é", [{ deep: [null] }]]) {
      const key = newKey();
      const run = await start(id, { key });
      await isWaiting(run);
      await sendEvent(key, data);
      expect(await ended(run)).toMatchObject({ status: "completed", output: data });
    }
  });

  it("that does not come in time leads to the edge timeout, else to a failure", async () => {
    const late = await waitingFlow(
      { timeoutMs: 200 },
      [transform("late", "'late'")],
      [{ source: "wait", target: "late", sourceHandle: "timeout" }],
    );
    expect(await ended(await start(late.id, { key: newKey() }))).toMatchObject({ output: "late" });
    const plain = await waitingFlow({ timeoutMs: 200 });
    const failed = await ended(await start(plain.id, { key: newKey() }));
    expect(failed).toMatchObject({ status: "failed", error: { code: "WAIT_TIMEOUT" } });
  });
});

describe("a rate limit", () => {
  // Proves nodes.rate-limit
  it("is shared by all runs that name its key: those without room wait, or fail", async () => {
    const limit = { key: newKey(), limit: 4, perMs: 1_000 };
    const at = node("at", "code", { code: "return Date.now()" });
    const { id } = await createFlow({ nodes: [node("limit", "rate-limit", limit), at], edges: [edge("limit", "at")] });
    const runs = await Promise.all(Array.from({ length: 10 }, () => start(id, { a: 1 })));
    const times: number[] = [];
    for (const run of runs) {
      const { status, output } = await ended(run);
      expect(status).toBe("completed");
      times.push(Number(output));
    }
    times.sort((a, b) => a - b);
    // Two full waits at least; what a window of turns holds is tested beside `take-turn.ts`.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_000);
    const refusing = await createFlow({
      nodes: [node("limit", "rate-limit", { ...limit, perMs: 3_600_000, limit: 1, onLimit: "error" })],
    });
    expect(await execute(refusing.id)).toMatchObject({ status: "failed", error: { code: "RATE_LIMITED" } });
  });

  it("passes its input on", async () => {
    const nodes = [transform("a", "({x: 1})"), node("limit", "rate-limit", { key: newKey(), limit: 1, perMs: 200 })];
    const { id } = await createFlow({ nodes, edges: [edge("a", "limit")] });
    expect(await execute(id)).toMatchObject({ output: { x: 1 } });
    expect(await execute(id)).toMatchObject({ output: { x: 1 } });
  });
});

describe("a batch", () => {
  // Proves nodes.batch
  it("groups items, and leaves out those that earlier runs had", async () => {
    const config = { items: "$trigger.body.items", by: "land", size: 2, dedupe: { key: "id" } };
    const { id } = await createFlow({ nodes: [node("b", "batch", config)] });
    const items = [
      { id: 1, land: "ch" },
      { id: 2, land: "de" },
    ];
    const first = await execute(id, { items });
    expect(first.output).toMatchObject({ fresh: items, seen: [], batches: [{ key: "ch" }, { key: "de" }] });
    const nodes = { id: 3, land: "ch" };
    const second = await execute(id, { items: [...items, nodes] });
    expect(second.output).toMatchObject({ fresh: [nodes], seen: items, batches: [{ key: "ch", items: [nodes] }] });
  });

  it("gives a retry of a failed run its items again", async () => {
    const nodes = [
      node("b", "batch", { items: "$trigger.body.items", dedupe: {} }),
      node("f", "stop", { status: "failed", message: "no" }),
    ];
    const { id } = await createFlow({ nodes, edges: [edge("b", "f")] });
    const failed = await execute(id, { items: [7] });
    const retried = (await post(`/executions/${failed.executionId}/retry`, {})) as Answer<{ executionId: string }>;
    await ended(retried.data.executionId);
    const { data } = (await get(`/executions/${retried.data.executionId}/nodes/b`)) as Answer<{ output: unknown }>;
    expect(data.output).toMatchObject({ fresh: [7], seen: [] });
  });
});

describe("the crypto node", () => {
  const newCredential = async (type: string, data: object) => {
    made += 1;
    const name = `key${process.pid}_${made}`;
    expect((await post("/credentials", { name, type, data })).status).toBe(201);
    return name;
  };

  // Proves nodes.crypto
  it("signs with a credential's key, which is shown nowhere", async () => {
    const credential = await newCredential("secret", { value: "the shared secret" });
    const { id } = await createFlow({ nodes: [node("c", "crypto", { action: "hmac", value: "abc", credential })] });
    const run = await execute(id);
    expect(run.output).toBe(createHmac("sha256", "the shared secret").update("abc").digest("hex"));
    expect(JSON.stringify(await readExecution(run.executionId, "?includeNodeOutputs=true"))).not.toContain(
      "the shared",
    );
  });

  it("signs and verifies tokens with the keys of a pair", async () => {
    const pem = { type: "pkcs8", format: "pem" } as const;
    const keys = generateKeyPairSync("ec", {
      namedCurve: "prime256v1",
      privateKeyEncoding: pem,
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    const credential = await newCredential("custom", keys);
    const claims = { sub: "ada", admin: false };
    const nodes = [
      node("sign", "crypto", { action: "jwt-sign", value: claims, credential, expiresInMs: 60_000 }),
      node("verify", "crypto", { action: "jwt-verify", value: "{{ $nodes.sign.output }}", credential }),
    ];
    const { id } = await createFlow({ nodes, edges: [edge("sign", "verify")] });
    expect((await execute(id)).output).toMatchObject(claims);
  });

  it("is played from its recording in a test of the flow, as is what runs share", async () => {
    const credential = await newCredential("secret", { value: "another shared secret" });
    const nodes = [
      node("id", "crypto", { action: "uuid" }),
      node("mac", "crypto", { action: "hmac", value: "abc", credential }),
      node("hash", "crypto", { action: "hash", value: "{{ $nodes.id.output }}" }),
      node("limit", "rate-limit", { key: newKey(), limit: 1, perMs: 60_000 }),
      node("b", "batch", { items: "[1]", dedupe: {} }),
      transform("all", "[$nodes.id.output, $nodes.mac.output, $nodes.hash.output, $nodes.b.output.fresh]"),
    ];
    const ids = nodes.map(({ id }) => id);
    const edges = ids.slice(1).map((target, index) => edge(ids[index] ?? "", target));
    const { id } = await createFlow({ nodes, edges });
    const run = await execute(id);
    expect(run.status).toBe("completed");
    expect((await post(`/flows/${id}/tests`, { fromExecutionId: run.executionId })).status).toBe(201);
    const { data } = await post(`/flows/${id}/tests/run`, {});
    expect(data).toMatchObject({ passed: 1, failed: 0, results: [{ problems: [], notRecorded: [] }] });
  });
});
