// A separate server with an inspectable database: what is stored and printed contains no secret.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "#lib/platform/database/connect.ts";
import { newId } from "#lib/platform/ids.ts";
import { dumpOf } from "../support/canaries.ts";
import { api, credential, flow, receiver, run, unique } from "../support/secret-calls.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

let database: TestDatabase;
let server: RunningServer;
let outside: Awaited<ReturnType<typeof receiver>>;
let own: { base: string; key: string };

beforeAll(async () => {
  outside = await receiver();
  database = await createTestDatabase();
  const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "e".repeat(32) };
  server = await startServer({ env: { DATABASE_URL: database.url, ...secrets } });
  own = { base: server.url, key: server.apiKey };
});
afterAll(async () => {
  await server?.stop();
  outside?.close();
});

async function sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = await connect(database.url);
  try {
    return (await client.query(text, values)).rows as Row[];
  } finally {
    await client.end();
  }
}

describe("a stored secret", () => {
  // Proves credentials.encrypted
  test("does not open in another row", async () => {
    const nodes = (name: string) => [
      { id: "t", type: "transform", config: { transform: `$credentials.${name}.length` } },
    ];
    const [first, second] = [
      await credential("secret", { value: "value-of-one" }, {}, own),
      await credential("secret", { value: "value-of-the-other" }, {}, own),
    ];
    await sql("UPDATE credential SET ciphertext = (SELECT ciphertext FROM credential WHERE id = $2) WHERE id = $1", [
      first.id,
      second.id,
    ]);
    const { execution } = await run(nodes(first.name), {}, own);
    expect(execution.error).toMatchObject({
      code: "UNREADABLE_CREDENTIAL",
      message: expect.stringContaining(first.name),
    });
    expect((await run(nodes(second.name), {}, own)).execution.output).toBe("value-of-the-other".length);
    const { url } = await flow([], { authentication: "header", credential: first.name }, own);
    expect((await fetch(url, { method: "POST" })).status).toBe(401);
  });
});

test("a trigger that refuses every caller says why in the server's log, and nowhere else", async () => {
  const name = unique("missing");
  const { url, id } = await flow([], { authentication: "bearer", credential: name }, own);
  const answer = await fetch(url, { method: "POST", headers: { authorization: "Bearer x" } });
  expect(await answer.text()).not.toContain(name);
  const line = server
    .logs()
    .split("\n")
    .find((text) => text.includes(id) && text.includes(name));
  expect(line).toContain('"level":"warning"');
});

// Proves api-keys.stored
test("keys are stored as hashes only, and their last use is recorded", async () => {
  const made = await api("POST", "/api-keys", { ...own, body: { name: "kept" } });
  const { id, key } = made.body.data;
  await api("GET", "/flows", { ...own, key });
  const rotated = (await api("POST", `/api-keys/${id}/rotate`, { ...own, body: { graceSeconds: 60 } })).body.data.key;
  const stored = await dumpOf(database.url);
  for (const secret of [key, rotated]) {
    const [random = ""] = String(secret).slice("mill_live_".length).split("_");
    expect(stored).not.toContain(random);
    expect(server.logs()).not.toContain(random);
  }
  const lastUse = async () => {
    const [row] = await sql<{ last_used_at: Date | null }>("SELECT last_used_at FROM api_key WHERE id = $1", [id]);
    return Date.now() - Number(row?.last_used_at);
  };
  await expect.poll(lastUse).toBeLessThan(60_000);
});

describe("another workspace's", () => {
  async function otherWorkspace(): Promise<{ base: string; key: string }> {
    const key = (await api("POST", "/api-keys", { ...own, body: { name: "moved" } })).body.data;
    const id = newId("workspace");
    await sql("INSERT INTO workspace (id, name, tier) VALUES ($1, 'Other', 'enterprise')", [id]);
    await sql("UPDATE api_key SET workspace_id = $1 WHERE id = $2", [id, key.id]);
    return { base: own.base, key: key.key };
  }

  test("credentials and keys are not found, listed or changed", async () => {
    const other = await otherWorkspace();
    const { id } = await credential("secret", { value: "s3cret-value" }, {}, own);
    const keyId = (await api("POST", "/api-keys", { ...own, body: { name: "mine" } })).body.data.id;
    const before = await sql("SELECT * FROM credential WHERE id = $1", [id]);
    const attempts = [
      api("GET", `/credentials/${id}`, other),
      api("PATCH", `/credentials/${id}`, { ...other, body: { name: "stolen", allowedHosts: [] } }),
      api("DELETE", `/credentials/${id}`, other),
      api("POST", `/api-keys/${keyId}/rotate`, other),
      api("DELETE", `/api-keys/${keyId}`, other),
    ];
    for (const { status } of await Promise.all(attempts)) expect(status).toBe(404);
    expect(await sql("SELECT * FROM credential WHERE id = $1", [id])).toEqual(before);
    expect((await api("GET", "/credentials", other)).body.data).toEqual([]);
    expect((await api("GET", "/api-keys", other)).body.data.map((key: { name: string }) => key.name)).toEqual([
      "moved",
    ]);
  });

  // Proves authentication.ids-in-bodies
  test("credentials cannot be used by name, and their names are free", async () => {
    const other = await otherWorkspace();
    const { name } = await credential("bearer", { token: "t0ken-value" }, {}, own);
    const node = { id: "call", type: "http-request", config: { url: outside.url, credential: name } };
    expect((await run([node], {}, other)).execution.error.code).toBe("UNKNOWN_CREDENTIAL");
    const all = [{ id: "all", type: "transform", config: { transform: "Object.keys($credentials)" } }];
    expect((await run(all, {}, other)).execution.output).toEqual([]);
    const guarded = await flow([], { authentication: "bearer", credential: name }, other);
    const call = { method: "POST", headers: { authorization: "Bearer t0ken-value" } };
    expect((await fetch(guarded.url, call)).status).toBe(401);
    const activated = await api("PATCH", `/flows/${guarded.id}`, { ...other, body: { status: "active" } });
    expect(activated.body.error.details).toHaveProperty(["trigger.config.credential"]);
    const body = { name, type: "secret", data: { value: "s3cret-value" } };
    expect((await api("POST", "/credentials", { ...other, body })).status).toBe(201);
  });
});
