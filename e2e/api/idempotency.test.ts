// A repeated POST is done once.
import { randomUUID } from "node:crypto";
import { describe, expect, inject, it } from "vitest";
import { del, get, post } from "../support/api-client.ts";
import { createFlow, minimalFlow, type TestFlow, type TestRun, transform } from "../support/flows.ts";
import { sql } from "../support/people.ts";
import { expectInvalid, expectRefusal } from "../support/refusals.ts";
import { secondWorkspace } from "../support/second-workspace.ts";

const withKey = (key: string) => ({ headers: { "idempotency-key": key } });

const runsOf = async (flowId: string) => (await get(`/executions?flowId=${flowId}`)).pagination.total;

describe("Idempotency-Key", () => {
  // Proves idempotency.replay
  it("the same request gets the first answer again and starts nothing twice", async () => {
    const { id } = await createFlow({ nodes: [transform("a", "Math.random()")] });
    const key = randomUUID();
    const body = { async: false, data: { order: 1 } };
    const first = await post<TestRun>(`/flows/${id}/execute`, body, withKey(key));
    const again = await post<TestRun>(`/flows/${id}/execute`, body, withKey(key));
    expect(again.text).toBe(first.text);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await runsOf(id)).toBe(1);
  });

  // Proves idempotency.in-flight
  it("of 20 at once one is done; the others are asked to retry, or get its answer", async () => {
    const { id } = await createFlow({ nodes: [transform("a", "1")] });
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post<TestRun>(`/flows/${id}/execute`, { data: {} }, withKey(key))),
    );
    const done = answers.filter(({ status }) => status === 202);
    expect(new Set(done.map(({ data }) => data.executionId)).size).toBe(1);
    for (const refused of answers.filter(({ status }) => status !== 202)) {
      expectRefusal(refused, 409, "CONFLICT");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(await runsOf(id)).toBe(1);
  });

  // Proves errors.conflict, idempotency.other-request
  it("409 for another body, and on another path", async () => {
    const { id } = await createFlow();
    const key = randomUUID();
    await post(`/flows/${id}/execute`, { data: { a: 1 } }, withKey(key));
    expectRefusal(await post(`/flows/${id}/execute`, { data: { a: 2 } }, withKey(key)), 409, "CONFLICT");
    expectRefusal(await post("/flows", minimalFlow, withKey(key)), 409, "CONFLICT");
  });

  // Proves idempotency.errors
  it("errors are not stored: once corrected, the request may use the same key", async () => {
    const key = randomUUID();
    const broken = { ...minimalFlow, edges: [{ source: "a", target: "b" }] };
    expectRefusal(await post("/flows", broken, withKey(key)), 400, "VALIDATION_ERROR");
    expect((await post("/flows", minimalFlow, withKey(key))).status).toBe(201);
  });

  // Proves idempotency.too-long
  it("400 for a key over 255 characters or without any", async () => {
    expectInvalid(await post("/flows", minimalFlow, withKey("k".repeat(256))), "Idempotency-Key");
    expect((await post("/flows", minimalFlow, withKey(randomUUID().padEnd(255, "k")))).status).toBe(201);
  });
});

describe.skipIf(inject("server").dataDir === undefined)("a key that was kept", () => {
  const age = (key: string, hours: number) =>
    sql("UPDATE idempotency_key SET created_at = now() - make_interval(hours => $2) WHERE key = $1", [key, hours]);

  // Proves idempotency.24-hours
  it("expires after 24 hours, and not before", async () => {
    const { id } = await createFlow();
    const key = randomUUID();
    const send = (data: object) => post<TestRun>(`/flows/${id}/execute`, { data }, withKey(key));
    const first = await send({ day: 1 });
    await age(key, 23);
    expect((await send({ day: 1 })).data.executionId).toBe(first.data.executionId);
    expectRefusal(await send({ day: 2 }), 409, "CONFLICT");
    await age(key, 25);
    expect((await send({ day: 2 })).status).toBe(202);
    expect(await runsOf(id)).toBe(2);
  });

  // Proves idempotency.workspace
  it("is separate for another workspace", async () => {
    const theirs = await secondWorkspace(inject("server").dataDir ?? "");
    const key = randomUUID();
    const [ours, other] = [
      await post<TestFlow>("/flows", minimalFlow, withKey(key)),
      await post<TestFlow>("/flows", { ...minimalFlow, name: "Theirs" }, { ...withKey(key), key: theirs }),
    ];
    expect([ours.status, other.status, other.headers.get("idempotency-replayed")]).toEqual([201, 201, null]);
    expect(other.data.id).not.toBe(ours.data.id);
  });

  // Proves idempotency.before-id
  it("is answered even if the flow is gone", async () => {
    const { id } = await createFlow();
    const key = randomUUID();
    const first = await post(`/flows/${id}/execute`, {}, withKey(key));
    await del(`/flows/${id}`);
    const again = await post(`/flows/${id}/execute`, {}, withKey(key));
    expect([again.status, again.text]).toEqual([202, first.text]);
    expectRefusal(await post(`/flows/${id}/execute`, {}, withKey(randomUUID())), 404, "NOT_FOUND");
  });
});
