// A change of the encryption key, as operators do it: servers one after another on the same database.
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#lib/platform/database/connect.ts";
import { oauthData, type Provider, startProvider } from "../support/oauth-provider.ts";
import { api, credential, run } from "../support/secret-calls.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

let provider: Provider;
let database: TestDatabase;
let server: RunningServer | undefined;
const apiKey = "test-key-of-thirty-two-characters-1";

beforeAll(async () => {
  provider = await startProvider();
  database = await createTestDatabase();
});
afterAll(async () => {
  await server?.stop();
  await provider?.close();
});

async function restart(keys: { ENCRYPTION_KEY: string; ENCRYPTION_KEY_OLD?: string }) {
  await server?.stop();
  const env = { DATABASE_URL: database.url, AUTH_SECRET: "a".repeat(32), BOOTSTRAP_API_KEY: apiKey };
  server = await startServer({ env: { ...env, ...keys } });
  return { base: server.url, key: apiKey };
}

async function keyVersions(): Promise<number[]> {
  const client = await connect(database.url);
  try {
    const { rows } = await client.query(`
      SELECT key_version FROM credential UNION SELECT key_version FROM webhook_subscription
      UNION SELECT key_version FROM oauth_connection`);
    return rows.map((row) => row.key_version);
  } finally {
    await client.end();
  }
}

// Proves credentials.encrypted
test("a credential outlives the key that sealed it, and opens with no other", async () => {
  const [first, second, third] = ["1".repeat(32), "2".repeat(32), "3".repeat(32)] as const;
  const own = await restart({ ENCRYPTION_KEY: first });
  const { name, id } = await credential("secret", { value: "value-of-some-length" }, {}, own);
  const nodes = [{ id: "t", type: "transform", config: { transform: `$credentials.${name}.length` } }];
  const { name: connected } = await credential("oauth2", oauthData(provider, { grant: "client_credentials" }), {}, own);
  const asks = [{ id: "ask", type: "http-request", config: { url: `${provider.url}/me`, credential: connected } }];
  expect((await run(asks, {}, own)).execution.status).toBe("completed");
  const hook = { url: "https://example.com/hook", events: ["execution.completed"] };
  expect((await api("POST", "/webhooks", { ...own, body: hook })).status).toBe(201);
  const before = await keyVersions();
  expect(before).toHaveLength(1);

  const both = await restart({ ENCRYPTION_KEY: second, ENCRYPTION_KEY_OLD: first });
  expect((await run(nodes, {}, both)).execution.output).toBe(20);
  await expect.poll(keyVersions).not.toContain(before[0]);
  await expect.poll(() => server?.logs()).toMatch(/ENCRYPTION_KEY_OLD is no longer needed","sealed":4,"unreadable":0/);

  const after = await restart({ ENCRYPTION_KEY: second });
  // With the token that the first key sealed.
  expect((await run(asks, {}, after)).execution.status).toBe("completed");
  expect(provider.requests).toHaveLength(1);
  expect((await run(nodes, {}, after)).execution.output).toBe(20);

  expect(server?.logs()).not.toContain("There are secrets");
  await restart({ ENCRYPTION_KEY: third, ENCRYPTION_KEY_OLD: first });
  await expect
    .poll(() => server?.logs())
    .toMatch(/neither ENCRYPTION_KEY nor .*_OLD decrypts","sealed":0,"unreadable":4/);
  expect(server?.logs()).not.toContain("no longer needed");

  const lost = await restart({ ENCRYPTION_KEY: third });
  await expect.poll(() => server?.logs()).toMatch(/secrets that ENCRYPTION_KEY does not decrypt",.*"unreadable":4/);
  const { execution } = await run(nodes, {}, lost);
  expect(execution.error).toEqual({
    message: `The credential "${name}" cannot be opened: it was sealed with another encryption key`,
    nodeId: "t",
    code: "UNREADABLE_CREDENTIAL",
  });
  await api("PATCH", `/credentials/${id}`, { ...lost, body: { data: { value: "entered anew" } } });
  expect((await run(nodes, {}, lost)).execution.output).toBe("entered anew".length);
});
