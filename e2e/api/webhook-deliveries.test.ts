import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { get, patch, post } from "#e2e/support/api-client.ts";
import { countingServer, type Reply } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { createFlow, execute, transform } from "#e2e/support/flows.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";
import { expectRefusal } from "#e2e/support/refusals.ts";
import {
  deliveriesOf,
  eventOf,
  eventsOf,
  everyEvent,
  hmac,
  readSubscription,
  subscribe,
  type TestDelivery,
  untilAttempted,
  untilEvents,
} from "#e2e/support/webhooks.ts";
import { firedAlert } from "#lib/contract/alerts.ts";

inOwnWorkspace("Deliveries");

const completed = ["execution.completed"];
const flowOf = (output = "({ total: 3, text: 'größe \\u{1F680}' })") => createFlow({ nodes: [transform("a", output)] });
const msUntil = ({ nextAttemptAt, lastAttemptAt }: TestDelivery) =>
  Date.parse(nextAttemptAt ?? "") - Date.parse(lastAttemptAt ?? "");

describe("a delivery", () => {
  // Proves events.payload, events.post, events.recomputed
  it("carries the event, signed so that both kinds of receivers accept it", async () => {
    const receiver = await countingServer();
    const { secret } = await subscribe(`${receiver.url}/in?x=1`, completed);
    const flow = await flowOf();
    const { executionId, duration, completedAt } = await execute(flow.id);
    const [event] = await untilEvents(receiver, flow.id, 1);
    expect(event).toEqual({
      event: "execution.completed",
      timestamp: completedAt,
      data: {
        executionId,
        flowId: flow.id,
        flowName: flow.name,
        status: "completed",
        duration,
        output: { total: 3, text: "größe 🚀" },
      },
    });
    const request = receiver.received.find((sent) => eventOf(sent).data.flowId === flow.id);
    const { headers, body = "", method, url } = request ?? {};
    expect([method, url]).toEqual(["POST", "/in?x=1"]);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "x-webhook-event": "execution.completed",
      "x-webhook-signature": hmac(secret, body),
      "x-webhook-id": expect.stringMatching(/^dlv_/),
      "x-webhook-timestamp": expect.stringMatching(/^\d{10}$/),
    });
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(event);
    expect(hmac(secret, JSON.stringify(event))).toBe(headers?.["x-webhook-signature"]);
  });

  it("is read by its id, under its own subscription only", async () => {
    const receiver = await countingServer();
    const own = await subscribe(receiver.url, completed);
    const other = await subscribe(receiver.url, ["execution.cancelled"]);
    const { executionId } = await execute((await flowOf()).id);
    const { id } = await untilAttempted(own.id, executionId);
    const read = await get<TestDelivery>(`/webhooks/${own.id}/deliveries/${id}`);
    expect(read.data).toEqual((await deliveriesOf(own.id, executionId))[0]);
    expectRefusal(await get(`/webhooks/${other.id}/deliveries/${id}`), 404, "NOT_FOUND");
    expectRefusal(await get(`/webhooks/${own.id}/deliveries/nothing`), 404, "NOT_FOUND");
  });

  // Proves events.success
  it.each([
    [200, "delivered"],
    [204, "delivered"],
    [299, "delivered"],
  ])("answered with %i has been made", async (status, expected) => {
    const receiver = await countingServer(() => ({ status, body: status === 204 ? "" : "thanks" }));
    const { id } = await subscribe(receiver.url, completed);
    const { executionId } = await execute((await flowOf()).id);
    const delivery = await untilAttempted(id, executionId);
    expect(delivery).toMatchObject({
      status: expected,
      attempts: 1,
      statusCode: status,
      nextAttemptAt: null,
      error: null,
      responseBody: status === 204 ? "" : "thanks",
    });
    expect(delivery.requestBody).toBe(receiver.received[0]?.body);
    expect((await readSubscription(id)).lastDelivery).toEqual({
      id: delivery.id,
      event: "execution.completed",
      status: expected,
      statusCode: status,
      attemptedAt: delivery.lastAttemptAt,
    });
  });

  it("answered with 200 has been made, even if the response's body breaks off", async () => {
    const receiver = await countingServer(() => ({ body: "thanks", reset: "in the body" }));
    const { id } = await subscribe(receiver.url, completed);
    const { executionId } = await execute((await flowOf()).id);
    expect(await untilAttempted(id, executionId)).toMatchObject({ status: "delivered", statusCode: 200, error: null });
  });

  const failures: [string, Reply, Partial<TestDelivery>, number][] = [
    ["301", { status: 301, headers: { location: "/elsewhere" } }, { statusCode: 301 }, 5_000],
    ["400", { status: 400 }, { statusCode: 400 }, 5_000],
    ["500", { status: 500, body: "a\u0000b" }, { statusCode: 500, responseBody: "a\ufffdb" }, 5_000],
    ["429 that asks for time", { status: 429, headers: { "retry-after": "120" } }, { statusCode: 429 }, 120_000],
    ["503 that asks for less", { status: 503, headers: { "retry-after": "1" } }, { statusCode: 503 }, 5_000],
    ["a closed connection", { reset: true }, { statusCode: null }, 5_000],
  ];
  // Proves events.redirects
  it.each(failures)("answered with %s is retried", async (_, reply, expected, delayMs) => {
    const receiver = await countingServer(() => reply);
    const { id } = await subscribe(receiver.url, completed);
    const { executionId } = await execute((await flowOf()).id);
    const delivery = await untilAttempted(id, executionId);
    expect(delivery).toMatchObject({ status: "pending", attempts: 1, error: expect.any(String), ...expected });
    expect(Math.abs(msUntil(delivery) - delayMs)).toBeLessThan(4_000);
    expect(new Set(receiver.received.map(({ url }) => url))).toEqual(new Set(["/"]));
    expect((await readSubscription(id)).active).toBe(true);
  });

  // Proves events.same-id
  it("keeps its id and its bytes when retried, five seconds later", async () => {
    const receiver = await countingServer((index) => ({ status: index === 0 ? 500 : 200 }));
    const { id, secret } = await subscribe(receiver.url, completed);
    const { executionId } = await execute((await flowOf()).id);
    const [again] = await eventually("it is tried again", async () => {
      const all = await deliveriesOf(id, executionId);
      return all[0]?.status === "delivered" ? all : undefined;
    });
    expect(again).toMatchObject({ attempts: 2, statusCode: 200, error: null });
    const [first, second] = receiver.received.filter((request) => eventOf(request).data.executionId === executionId);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers["x-webhook-id"]).toBe(first?.headers["x-webhook-id"]);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(4_900);
    expect(() => new Webhook(secret).verify(second?.body ?? "", second?.headers as never)).not.toThrow();
  });

  // Proves events.410
  it("answered with 410 disables the subscription", async () => {
    const receiver = await countingServer(() => ({ status: 410 }));
    const { id } = await subscribe(receiver.url, completed);
    const flow = await flowOf();
    const { executionId } = await execute(flow.id);
    expect(await untilAttempted(id, executionId)).toMatchObject({ status: "failed", statusCode: 410, attempts: 1 });
    expect((await readSubscription(id)).active).toBe(false);
    const later = await execute(flow.id);
    expect(await deliveriesOf(id, later.executionId)).toEqual([]);
  });

  // Proves events.time-limit
  it("that is not answered within 10 s has failed, and delays no other receiver", async () => {
    const hanging = await countingServer(() => "hold");
    const healthy = await countingServer();
    const { id } = await subscribe(hanging.url, completed);
    await subscribe(healthy.url, completed);
    const flow = await flowOf();
    const runs = await Promise.all(Array.from({ length: 20 }, () => execute(flow.id)));
    const endedAt = Date.now();
    await untilEvents(healthy, flow.id, 20);
    expect(Date.now() - endedAt).toBeLessThan(9_000);
    expect(hanging.received).toHaveLength(2);
    const timedOut = await eventually("an attempt times out", async () => {
      const { data } = await get<TestDelivery[]>(`/webhooks/${id}/deliveries?limit=100`);
      return data.find(({ lastAttemptAt }) => lastAttemptAt !== null);
    });
    expect(timedOut).toMatchObject({
      status: "pending",
      statusCode: null,
      error: expect.stringContaining("within 10 s"),
    });
    expect(runs.map(({ executionId }) => executionId)).toContain(timedOut.executionId);
  });

  it("reads only the beginning of a response", async () => {
    const receiver = await countingServer(() => ({ body: "x".repeat(10_000_000) }));
    const { id } = await subscribe(receiver.url, completed);
    const { executionId } = await execute((await flowOf()).id);
    const delivery = await untilAttempted(id, executionId);
    expect(delivery).toMatchObject({ status: "delivered", responseBody: "x".repeat(4_096) });
  });
});

describe("a test event", () => {
  // Proves webhooks.test
  it("is sent once, marked as a test, and answers with its result", async () => {
    const receiver = await countingServer();
    const { id, secret } = await subscribe(receiver.url, ["flow.execution.failed", "execution.completed"]);
    const { status, data } = await post<TestDelivery>(`/webhooks/${id}/test`);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      event: "flow.execution.failed",
      executionId: null,
      status: "delivered",
      statusCode: 200,
    });
    const sent = receiver.received.find(({ headers }) => headers["x-webhook-id"] === data.id);
    expect(JSON.parse(sent?.body ?? "")).toMatchObject({ event: "flow.execution.failed", test: true });
    expect(sent?.headers["x-webhook-signature"]).toBe(hmac(secret, sent?.body ?? ""));
  });

  it("of an alert has the shape of an alert", async () => {
    const receiver = await countingServer();
    const { id } = await subscribe(receiver.url, ["alert.fired"]);
    await post<TestDelivery>(`/webhooks/${id}/test`);
    const { event, data, test } = JSON.parse(receiver.received[0]?.body ?? "");
    expect([event, test]).toEqual(["alert.fired", true]);
    expect(firedAlert.strict().parse(data)).toEqual(data);
  });

  it("is not retried, and may be sent to an inactive subscription", async () => {
    const receiver = await countingServer(() => ({ status: 500 }));
    const { id } = await subscribe(receiver.url, completed, { active: false });
    const { data } = await post<TestDelivery>(`/webhooks/${id}/test`);
    expect(data).toMatchObject({ status: "failed", attempts: 1, nextAttemptAt: null, statusCode: 500 });
  });
});

describe("the log of deliveries", () => {
  // Proves webhooks.deliveries
  it("has pages, newest first, and a filter", async () => {
    const receiver = await countingServer();
    const { id } = await subscribe(receiver.url, completed, { active: false });
    for (let count = 0; count < 3; count += 1) await post(`/webhooks/${id}/test`);
    const all = await get<TestDelivery[]>(`/webhooks/${id}/deliveries`);
    expect(all.pagination).toMatchObject({ total: 3, totalPages: 1 });
    const times = all.data.map(({ createdAt }) => createdAt);
    expect([...times].sort().reverse()).toEqual(times);
    const page = await get<TestDelivery[]>(`/webhooks/${id}/deliveries?limit=2&page=2`);
    expect(page.data).toEqual(all.data.slice(2));
    expect((await get(`/webhooks/${id}/deliveries?status=failed`)).pagination.total).toBe(0);
    expectRefusal(await get(`/webhooks/${id}/deliveries?status=no`), 400, "VALIDATION_ERROR");
  });

  // Proves webhooks.redeliver
  it("can send a delivery again, under its id", async () => {
    const receiver = await countingServer();
    const { id } = await subscribe(receiver.url, completed);
    const { executionId } = await execute((await flowOf()).id);
    const { id: deliveryId } = await untilAttempted(id, executionId);
    const { status, data } = await post<TestDelivery>(`/webhooks/${id}/deliveries/${deliveryId}/redeliver`);
    expect(status).toBe(200);
    expect(data).toMatchObject({ id: deliveryId, executionId });
    await eventually("it arrives again", () => (eventsOf(receiver, executionId).length === 2 ? true : undefined));
    const ids = receiver.received
      .filter((request) => eventOf(request).data.executionId === executionId)
      .map(({ headers }) => headers["webhook-id"]);
    expect(ids).toEqual([deliveryId, deliveryId]);
  });

  it("sends nothing again for an inactive subscription, or unknown deliveries", async () => {
    const receiver = await countingServer();
    const { id } = await subscribe(receiver.url, everyEvent);
    const { data } = await post<TestDelivery>(`/webhooks/${id}/test`);
    await patch(`/webhooks/${id}`, { active: false });
    const refused = await post(`/webhooks/${id}/deliveries/${data.id}/redeliver`);
    expectRefusal(refused, 400, "INVALID_STATUS");
    expect(refused.error.details).toEqual({ currentStatus: "inactive" });
    expectRefusal(await post(`/webhooks/${id}/deliveries/dlv_x/redeliver`), 404, "NOT_FOUND");
    const other = await subscribe(receiver.url);
    expectRefusal(await post(`/webhooks/${other.id}/deliveries/${data.id}/redeliver`), 404, "NOT_FOUND");
  });
});
