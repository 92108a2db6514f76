import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { api } from "../support/secret-calls.ts";

const all = [
  "flows:read",
  "flows:write",
  "flows:execute",
  "tests:write",
  "executions:read",
  "executions:write",
  "webhooks:read",
  "webhooks:write",
  "credentials:read",
  "credentials:write",
  "tables:read",
  "tables:write",
  "files:read",
  "files:write",
  "keys:write",
  "members:read",
  "members:write",
  "audit:read",
];

async function make(body: object = {}, key?: string) {
  return await api("POST", "/api-keys", { body: { name: "made", ...body }, ...(key === undefined ? {} : { key }) });
}

async function works(key: string): Promise<boolean> {
  const { status } = await api("GET", "/flows?limit=1", { key });
  if (status !== 200 && status !== 401) throw new Error(`unexpected ${status}`);
  return status === 200;
}

describe("a new key", () => {
  // Proves api-keys.create
  test("has all scopes by default, and is shown once", async () => {
    const made = await make({ name: "  Deploy  " });
    expect(made.status).toBe(201);
    const { id, key, createdAt } = made.body.data;
    expect(made.body.data).toEqual({
      id,
      name: "Deploy",
      key,
      prefix: key.slice(0, 14),
      scopes: all,
      expiresAt: null,
      lastUsedAt: null,
      createdAt,
    });
    expect(id).toMatch(/^key_[0-9a-z]{26}$/);
    expect(key).toMatch(/^mill_live_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
    expect(await works(key)).toBe(true);

    const list = await api("GET", "/api-keys?limit=100");
    const { key: _, lastUsedAt: __, ...shown } = made.body.data;
    const listed = async () =>
      (await api("GET", "/api-keys?limit=100")).body.data.find((item: { id: string }) => item.id === id);
    await expect.poll(listed).toEqual({ ...shown, lastUsedAt: expect.any(String) });
    expect(JSON.stringify(list.body)).not.toContain(key.slice(20, 40));
  });

  // Proves api-keys.scopes
  test("has the given scopes, each once", async () => {
    const { body } = await make({ scopes: ["flows:read", "executions:read", "flows:read"] });
    expect(body.data.scopes).toEqual(["flows:read", "executions:read"]);
    const { status, body: refused } = await api("POST", "/flows", { key: body.data.key, body: {} });
    expect(status).toBe(403);
    expect(refused.error.details).toEqual({ required: "flows:write" });
  });

  // Proves api-keys.expiry, authentication.unauthorized
  test("works until it expires", async () => {
    const { body } = await make({ expiresAt: new Date(Date.now() + 1_500).toISOString() });
    expect(await works(body.data.key)).toBe(true);
    await sleep(1_700);
    expect(await works(body.data.key)).toBe(false);
    const rotated = await api("POST", `/api-keys/${body.data.id}/rotate`);
    expect(rotated.body.error).toMatchObject({ code: "INVALID_STATUS", details: { currentStatus: "expired" } });
  });

  test.each<[string, object, string]>([
    ["no name", { name: undefined }, "name"],
    ["an empty name", { name: " " }, "name"],
    ["an unknown scope", { scopes: ["flows:read", "root"] }, "scopes[1]"],
    ["no scope", { scopes: [] }, "scopes"],
    ["scopes that are no list", { scopes: "flows:read" }, "scopes"],
    ["an end in the past", { expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
    ["an end that is no time", { expiresAt: "tomorrow" }, "expiresAt"],
  ])("but not with %s", async (_, body, field) => {
    const answer = await make(body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details)).toEqual([field]);
  });
});

describe("a key cannot grant what it does not have", () => {
  // Proves api-keys.no-more-than-own
  test("to a new key", async () => {
    const maker = (await make({ scopes: ["keys:write", "flows:read"] })).body.data.key;
    const widened = await make({ scopes: ["flows:read", "flows:write"] }, maker);
    expect(widened.status).toBe(403);
    expect(widened.body.error).toMatchObject({ code: "FORBIDDEN", details: { required: "flows:write" } });
    expect((await make({}, maker)).status).toBe(403);
    expect((await make({ scopes: ["flows:read"] }, maker)).status).toBe(201);
  });

  test("nor get it by rotating a stronger key", async () => {
    const stronger = (await make()).body.data;
    const weaker = (await make({ scopes: ["keys:write"] })).body.data.key;
    expect((await api("POST", `/api-keys/${stronger.id}/rotate`, { key: weaker })).status).toBe(403);
    expect(await works(stronger.key)).toBe(true);
  });

  test("and without keys:write it can do nothing with keys", async () => {
    const { key, id } = (await make({ scopes: all.filter((scope) => scope !== "keys:write") })).body.data;
    const calls = [
      api("GET", "/api-keys", { key }),
      api("POST", "/api-keys", { key, body: { name: "x" } }),
      api("POST", `/api-keys/${id}/rotate`, { key }),
      api("DELETE", `/api-keys/${id}`, { key }),
    ];
    for (const { status, body } of await Promise.all(calls)) {
      expect(status).toBe(403);
      expect(body.error.details).toEqual({ required: "keys:write" });
    }
  });
});

describe("a rotation", () => {
  // Proves api-keys.rotate
  test("issues a new secret, and the old one stops working at once", async () => {
    const old = (await make({ scopes: ["flows:read"] })).body.data;
    const { status, body } = await api("POST", `/api-keys/${old.id}/rotate`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: old.id, name: old.name, scopes: old.scopes, createdAt: old.createdAt });
    expect(body.data.key).not.toBe(old.key);
    expect(body.data.prefix).toBe(body.data.key.slice(0, 14));
    expect([await works(old.key), await works(body.data.key)]).toEqual([false, true]);
  });

  // Proves api-keys.rotate
  test("keeps the old one working for the grace period", async () => {
    const old = (await make()).body.data;
    const { body } = await api("POST", `/api-keys/${old.id}/rotate`, { body: { graceSeconds: 2 } });
    expect([await works(old.key), await works(body.data.key)]).toEqual([true, true]);
    await sleep(2_200);
    expect([await works(old.key), await works(body.data.key)]).toEqual([false, true]);
  });

  test("ends the grace of an earlier rotation", async () => {
    const first = (await make()).body.data;
    const rotate = async (graceSeconds: number) =>
      (await api("POST", `/api-keys/${first.id}/rotate`, { body: { graceSeconds } })).body.data.key as string;
    const second = await rotate(3_600);
    const third = await rotate(3_600);
    expect([await works(first.key), await works(second), await works(third)]).toEqual([false, true, true]);
    const fourth = await rotate(0);
    expect([await works(second), await works(third), await works(fourth)]).toEqual([false, false, true]);
  });

  test.each([-1, 1.5, "60", 1e9])("refuses a grace of %j", async (graceSeconds) => {
    const { id, key } = (await make()).body.data;
    const answer = await api("POST", `/api-keys/${id}/rotate`, { body: { graceSeconds } });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toHaveProperty("graceSeconds");
    expect(await works(key)).toBe(true);
  });
});

describe("a revoked key", () => {
  // Proves api-keys.revoke, authentication.unauthorized
  test("is refused from the next request on, like its old secret, and no longer listed", async () => {
    const old = (await make()).body.data;
    const { body } = await api("POST", `/api-keys/${old.id}/rotate`, { body: { graceSeconds: 3_600 } });
    expect([await works(old.key), await works(body.data.key)]).toEqual([true, true]);
    const answer = await api("DELETE", `/api-keys/${old.id}`);
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect([await works(old.key), await works(body.data.key)]).toEqual([false, false]);
    const list = await api("GET", "/api-keys?limit=100");
    expect(list.body.data.map((item: { id: string }) => item.id)).not.toContain(old.id);
    expect((await api("DELETE", `/api-keys/${old.id}`)).status).toBe(404);
    expect((await api("POST", `/api-keys/${old.id}/rotate`)).status).toBe(404);
  });

  test("may have revoked itself", async () => {
    const { id, key } = (await make()).body.data;
    expect((await api("DELETE", `/api-keys/${id}`, { key })).status).toBe(204);
    const refused = await api("GET", "/api-keys", { key });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
  });
});

test.each(["key_01h455vb4pex5vsknk084sn02q", "cred_01h455vb4pex5vsknk084sn02q", "x", "%00"])(
  "a missing key: %s",
  async (id) => {
    expect((await api("POST", `/api-keys/${id}/rotate`)).status).toBe(404);
    expect((await api("DELETE", `/api-keys/${id}`)).status).toBe(404);
  },
);

// Proves api-keys.form
test("a key with one character changed is refused", async () => {
  const { key } = (await make()).body.data;
  for (const at of [10, 25, key.length - 1]) {
    const changed = `${key.slice(0, at)}${key[at] === "a" ? "b" : "a"}${key.slice(at + 1)}`;
    expect(await works(changed)).toBe(false);
  }
});

// Proves api-keys.list
test("the list has pages, newest first", async () => {
  const made = [(await make()).body.data.id, (await make()).body.data.id];
  const first = await api("GET", "/api-keys?limit=1");
  const second = await api("GET", "/api-keys?limit=1&page=2");
  expect([second.body.data[0].id, first.body.data[0].id]).toEqual(made);
  expect(first.body.pagination).toMatchObject({ page: 1, limit: 1, hasNext: true, hasPrev: false });
});

test("a method that a path does not have is answered with those that it has", async () => {
  const answer = await api("PATCH", "/api-keys/key_01h455vb4pex5vsknk084sn02q", { body: {} });
  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow")).toBe("DELETE, OPTIONS");
});
