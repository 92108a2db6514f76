// A database that answers a probe, while what is asked of it fails.
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#lib/platform/database/connect.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { ServerClient } from "../support/server-client.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

let database: TestDatabase;
let server: RunningServer;
beforeAll(async () => {
  database = await createTestDatabase();
  const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "e".repeat(32) };
  server = await startServer({ env: { DATABASE_URL: database.url, ...secrets } });
});
afterAll(async () => {
  await server?.stop();
});

async function health() {
  const answer = await fetch(`${server.url}/api/health`);
  return { code: answer.status, ...(await answer.json()) };
}

// Proves configuration.health
test("health is degraded while statements fail that a probe does not make", async () => {
  expect(await health()).toEqual({ code: 200, status: "ok", database: "ok" });
  const client = await connect(database.url);
  await client.query("ALTER TABLE alert RENAME TO gone");
  const calls = new ServerClient(server);
  await expect
    .poll(async () => {
      expect((await calls.call("GET", "/alerts")).status).toBe(500);
      return await health();
    })
    .toEqual({ code: 200, status: "degraded", database: "failing" });
  await client.query("ALTER TABLE gone RENAME TO alert");
  expect((await calls.call("GET", "/alerts")).status).toBe(200);
  await client.end();
});
