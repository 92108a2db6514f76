// A server of its own over a database that can be looked into: what is stored and printed holds no secret.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "#lib/platform/database-connect.ts";
import { newId } from "#lib/platform/ids.ts";
import { api, credential, flow, receiver, run, unique } from "../support/secret-calls.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import {
  createTestDatabase,
  startTestPostgres,
  type TestDatabase,
  type TestPostgres,
} from "../support/test-database.ts";

let postgres: TestPostgres;
let database: TestDatabase;
let server: RunningServer;
let outside: Awaited<ReturnType<typeof receiver>>;
let own: { base: string; key: string };

beforeAll(async () => {
  outside = await receiver();
  postgres = await startTestPostgres();
  database = await createTestDatabase({ server: postgres.url });
  const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "e".repeat(32) };
  server = await startServer({ env: { DATABASE_URL: database.url, ...secrets } });
  own = { base: server.url, key: server.apiKey };
});
afterAll(async () => {
  await server?.stop();
  await postgres?.stop();
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

/** Every row of every table, as text; bytes as they are. */
async function dump(): Promise<string> {
  const tables = await sql<{ name: string }>("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
  const rows = await Promise.all(tables.map(({ name }) => sql<object>(`SELECT * FROM "${name}"`)));
  return JSON.stringify(rows, (_, value) =>
    value?.type === "Buffer" ? Buffer.from(value.data).toString("latin1") : value,
  );
}

/** A secret and the forms in which it could get out. */
function formsOf(secret: string): string[] {
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]).toString("base64");
    return text.slice(offset === 0 ? 0 : offset + 1, -4);
  });
  const begin = secret.slice(0, 10);
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...base64, begin];
}

describe("a secret that runs use", () => {
  const canary = 'canary/7f3a "ü" +kept secret';
  const password = "second-canary-9b1c";

  test("is in no answer of the API, in no row and in no line of the server's log", async () => {
    const secret = await credential("secret", { value: canary }, {}, own);
    const basic = await credential("basic", { username: "ann", password }, {}, own);
    const token = await credential("bearer", { token: password }, {}, own);
    const read = `$credentials.${secret.name}`;
    const post = { id: "call", type: "http-request", config: { method: "POST", url: `${outside.url}/x` } };
    const call = (config: object) => ({ ...post, config: { ...post.config, ...config } });
    const code = (text: string) => ({ id: "code", type: "code", config: { code: text } });
    const log = (config: object) => ({ id: "log", type: "log", config });

    const flows = [
      [call({ credential: basic.name }), { id: "again", type: "transform", config: { transform: "$node.output" } }],
      [call({ credential: token.name, url: `${outside.url}/fail` })],
      [call({ url: `${outside.url}/x?key={{ encodeURIComponent(${read}) }}`, headers: {} })],
      [call({ query: { key: `{{ ${read} }}` }, url: `${outside.url}/fail` })],
      [call({ body: { deep: [{ key: `{{ ${read} }}` }] } })],
      [call({ bodyType: "form", body: { key: `{{ ${read} }}` } })],
      [call({ url: `http://{{ ${read} }}/` })],
      [call({ url: `https://${new URL(outside.url).host}/`, body: `{{ ${read} }}` })],
      [call({ method: `{{ ${read} }}` })],
      [call({ url: `${outside.url}/to?${encodeURIComponent(`${outside.url}/there`)}`, credential: basic.name })],
      [log({ message: `{{ ${read} }}`, data: { all: "{{ $credentials }}" } })],
      [log({ message: "{{ JSON.stringify($credentials) }}", level: "warning" })],
      [code(`console.log(${read}); return { [${read}]: [${read}.length, ${read}] };`)],
      [code(`throw new Error("no: " + ${read});`)],
      [code("return JSON.stringify(JSON.stringify($credentials));")],
      [{ id: "t", type: "transform", config: { transform: `nothing[${read}]` } }],
      [{ id: "t", type: "transform", config: { transform: `({}).x[${read}]` } }],
      [{ id: "t", type: "transform", config: { transform: `JSON.parse("[" + ${read})` } }],
      [{ id: "t", type: "transform", config: { transform: `null["x".repeat(50) + ${read}]` } }],
      [code(`console.log("x".repeat(8180) + ${read}); throw new Error("y".repeat(2036) + ${read});`)],
      [{ id: "s", type: "switch", config: { value: `{{ ${read} }}`, cases: [{ id: "a", equals: `{{ ${read} }}` }] } }],
      [{ id: "r", type: "respond", config: { headers: { "x-key": `{{ ${read} }}` }, body: `{{ ${read} }}` } }],
    ];
    const told: string[] = [];
    for (const nodes of flows) {
      const { answer, execution, executionId, url } = await run(nodes, {}, own);
      const logs = await api("GET", `/executions/${executionId}/logs`, own);
      const called = await fetch(url, { method: "POST", body: "{}" });
      told.push(JSON.stringify([answer, execution, logs.body, [...called.headers], await called.text()]));
    }
    const guarded = await flow([], { authentication: "bearer", credential: token.name }, own);
    const called = await fetch(guarded.url, { method: "POST", headers: { authorization: `Bearer ${password}` } });
    expect(called.status).toBe(200);
    const basicGuarded = await flow([], { authentication: "basic", credential: basic.name }, own);
    const authorization = `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`;
    expect((await fetch(basicGuarded.url, { method: "POST", headers: { authorization } })).status).toBe(200);

    for (const path of ["/executions?limit=100", "/credentials", "/flows?limit=100"]) {
      told.push(JSON.stringify((await api("GET", path, own)).body));
    }
    // They were really sent: what is looked for below was there to be told.
    expect(JSON.stringify(outside.received)).toContain(JSON.stringify(JSON.stringify(canary)).slice(3, -3));
    expect(outside.received.some(({ headers }) => headers.authorization === authorization)).toBe(true);
    expect(told.join()).toContain("•••");

    const places = { told: told.join("\n"), stored: await dump(), printed: server.logs() };
    for (const [place, text] of Object.entries(places)) {
      for (const form of [...formsOf(canary), ...formsOf(password)]) {
        const at = text.indexOf(form);
        expect(at < 0 ? "" : `${place}: ${text.slice(at - 200, at + 60)}`).toBe("");
      }
    }
  });

  test("does not open in another row", async () => {
    const nodes = (name: string) => [
      { id: "t", type: "transform", config: { transform: `$credentials.${name}.length` } },
    ];
    const [one, other] = [
      await credential("secret", { value: "value-of-one" }, {}, own),
      await credential("secret", { value: "value-of-the-other" }, {}, own),
    ];
    await sql("UPDATE credential SET ciphertext = (SELECT ciphertext FROM credential WHERE id = $2) WHERE id = $1", [
      one.id,
      other.id,
    ]);
    const { execution } = await run(nodes(one.name), {}, own);
    expect(execution.error).toMatchObject({
      code: "UNREADABLE_CREDENTIAL",
      message: expect.stringContaining(one.name),
    });
    expect((await run(nodes(other.name), {}, own)).execution.output).toBe("value-of-the-other".length);
    const { url } = await flow([], { authentication: "header", credential: one.name }, own);
    expect((await fetch(url, { method: "POST" })).status).toBe(401);
  });
});

test("a trigger that refuses every caller says why in the server's log, and to nobody else", async () => {
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

test("keys are stored as hashes only, and their last use is kept", async () => {
  const made = await api("POST", "/api-keys", { ...own, body: { name: "kept" } });
  const { id, key } = made.body.data;
  await api("GET", "/flows", { ...own, key });
  const rotated = (await api("POST", `/api-keys/${id}/rotate`, { ...own, body: { graceSeconds: 60 } })).body.data.key;
  const stored = await dump();
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

  test("credentials are not used by name, and their names are free", async () => {
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
