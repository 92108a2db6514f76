import { describe, expect, it } from "vitest";
import { del, get, patch, post } from "#e2e/support/api-client.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";
import { everyEvent, readSubscription, subscribe, type TestSubscription } from "#e2e/support/webhooks.ts";

inOwnWorkspace("Subscriptions");

const url = "https://receiver.example/events";
const create = (fields: object) => post<TestSubscription>("/webhooks", { url, events: everyEvent, ...fields });
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("a new subscription", () => {
  // Proves webhooks.create, webhooks.record
  it("is answered with all its fields, and with its secret once", async () => {
    const events = ["flow.execution.completed", "execution.failed"];
    const made = await subscribe(url, events, { secret: "a-secret-of-24-bytes-or-more" });
    expect(made).toEqual({
      id: expect.stringMatching(/^sub_[0-9a-z]{26}$/),
      url,
      events,
      active: true,
      createdAt: timestamp,
      updatedAt: made.createdAt,
      lastDelivery: null,
      secret: "a-secret-of-24-bytes-or-more",
    });
    const { secret: _, ...subscription } = made;
    expect(await readSubscription(made.id)).toEqual(subscription);
  });

  // Proves webhooks.secret-made
  it("gets a generated secret by default", async () => {
    expect((await subscribe(url)).secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });

  it.each(["x", "mein größtes Geheimnis", "whsec_short"])(
    "takes any secret of one's own, such as %j",
    async (secret) => {
      expect((await subscribe(url, everyEvent, { secret })).secret).toBe(secret);
    },
  );

  it("lists an event once", async () => {
    expect((await subscribe(url, ["execution.failed", "execution.failed"])).events).toEqual(["execution.failed"]);
  });

  it("may start inactive", async () => {
    expect((await subscribe(url, everyEvent, { active: false })).active).toBe(false);
  });

  // Proves webhooks.invalid
  it.each([
    ["url", undefined],
    ["url", 5],
    ["url", "receiver.example"],
    ["url", "ftp://receiver.example"],
    ["url", "https://"],
    ["url", "https://user:password@receiver.example"],
    ["url", `https://receiver.example/${"x".repeat(2_048)}`],
    ["events", undefined],
    ["events", "execution.failed"],
    ["events", []],
    ["secret", ""],
    ["secret", 5],
    ["secret", "x".repeat(256)],
    ["secret", "a\u0000b"],
    ["active", "yes"],
  ])("is refused for %s %j", async (field, value) => {
    expectInvalid(await create({ [field]: value }), field);
  });

  // Proves webhooks.unknown-event
  it("is refused for an unknown event, which the details name", async () => {
    expectInvalid(await create({ events: ["execution.failed", "flow.deleted"] }), "events[1]", /execution\.started/);
  });

  it.each([
    "http://169.254.169.254/latest/meta-data",
    "http://10.0.0.1/",
    "http://192.168.1.1:8080/",
    "http://[::ffff:169.254.169.254]/",
    "http://2852039166/",
    "http://0x0a000001/",
    "http://[fd00::1]/",
    "http://0.0.0.0/",
    "http://receiver.example:25/",
  ])("is refused for the blocked address %s", async (blocked) => {
    expectInvalid(await create({ url: blocked }), "url", /^Blocked address/);
  });
});

describe("subscriptions", () => {
  // Proves webhooks.list
  it("are listed in pages, newest first", async () => {
    const made = [await subscribe(url), await subscribe(url), await subscribe(url)];
    const all = await get<TestSubscription[]>("/webhooks?limit=100");
    expect(all.status).toBe(200);
    expect(all.data.slice(0, 3).map(({ id }) => id)).toEqual(made.map(({ id }) => id).reverse());
    expect(all.data[0]).not.toHaveProperty("secret");
    const page = await get<TestSubscription[]>("/webhooks?limit=2&page=2");
    expect(page.data[0]).toEqual(all.data[2]);
    expect(page.pagination).toMatchObject({ page: 2, limit: 2, total: all.pagination.total, hasPrev: true });
  });

  // Proves webhooks.change
  it("change in the given fields", async () => {
    const { id, createdAt, updatedAt } = await subscribe(url);
    const { status, data } = await patch<TestSubscription>(`/webhooks/${id}`, { active: false });
    expect(status).toBe(200);
    expect(data).toMatchObject({ id, url, events: everyEvent, active: false, createdAt });
    expect(data).not.toHaveProperty("secret");
    expect(Date.parse(data.updatedAt)).toBeGreaterThan(Date.parse(updatedAt));
    const next = { url: "https://other.example/", events: ["execution.failed"], active: true };
    expect((await patch(`/webhooks/${id}`, next)).data).toMatchObject(next);
    expect((await patch(`/webhooks/${id}`, {})).status).toBe(200);
  });

  it("stay unchanged when a change is refused", async () => {
    const { id } = await subscribe(url);
    expectInvalid(await patch(`/webhooks/${id}`, { active: false, url: "http://10.0.0.1/" }), "url");
    expectInvalid(await patch(`/webhooks/${id}`, { events: ["no"] }), "events[0]");
    expect(await readSubscription(id)).toMatchObject({ url, active: true, events: everyEvent });
  });

  // Proves webhooks.delete
  it("are gone once deleted", async () => {
    const { id } = await subscribe(url);
    const { status, text } = await del(`/webhooks/${id}`);
    expect([status, text]).toEqual([204, ""]);
    expectRefusal(await del(`/webhooks/${id}`), 404, "NOT_FOUND");
  });

  const unknown = "sub_00000000000000000000000000";
  // Proves webhooks.missing
  it.each([
    ["GET", `/webhooks/${unknown}`, get],
    ["PATCH", `/webhooks/${unknown}`, patch],
    ["DELETE", `/webhooks/${unknown}`, del],
    ["GET", "/webhooks/sub_x", get],
    ["DELETE", "/webhooks/other", del],
    ["POST", `/webhooks/${unknown}/test`, post],
    ["GET", `/webhooks/${unknown}/deliveries`, get],
    ["POST", `/webhooks/${unknown}/deliveries/dlv_00000000000000000000000000/redeliver`, post],
  ] as const)("that do not exist are not found: %s %s", async (_, path, ask) => {
    expectRefusal(await ask(path, undefined), 404, "NOT_FOUND");
  });

  // Proves webhooks.shared-path
  it("take no other methods, and are shown to nobody without a key", async () => {
    const { id } = await subscribe(url);
    const answer = await post(`/webhooks/${id}`, {});
    expectRefusal(answer, 405, "METHOD_NOT_ALLOWED");
    expect(answer.headers.get("allow")).toBe("GET, HEAD, PATCH, DELETE, OPTIONS");
    expectRefusal(await get(`/webhooks/${id}`, { key: null }), 401, "UNAUTHORIZED");
    expectRefusal(await del(`/webhooks/${id}`, { key: null }), 401, "UNAUTHORIZED");
  });
});
