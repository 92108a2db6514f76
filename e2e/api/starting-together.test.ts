import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { dataDirectory } from "#e2e/support/made-database.ts";
import { freePort, runToEnd, startServer } from "#e2e/support/server.ts";
import { createTestDatabase } from "#e2e/support/test-database.ts";

const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "e".repeat(32) };

test("servers with separate data directories start together", async () => {
  const servers = await Promise.all([startServer(), startServer(), startServer()]);
  for (const server of servers) expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
  expect(await Promise.all(servers.map((server) => server.stop()))).toEqual([0, 0, 0]);
});

test("a data directory in use is refused in one line, without affecting its server", async () => {
  const dataDir = dataDirectory();
  const server = await startServer({ dataDir });
  const { code, logs } = await runToEnd({ DATA_DIR: dataDir, PORT: `${await freePort()}` });
  expect(logs.trim()).toBe(`DATA_DIR ${dataDir} is in use by another running Millrace: set another one, or stop that`);
  expect(code).toBe(1);
  expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
});

test("a start waits for a server that is leaving the data directory", async () => {
  const dataDir = dataDirectory();
  const leaving = await startServer({ dataDir });
  const left = leaving.stop();
  const next = await startServer({ dataDir });
  expect(await left).toBe(0);
  expect(await next.stop()).toBe(0);
});

describe("servers on an external database", () => {
  test("that start together apply each migration once", async () => {
    const { url, drop } = await createTestDatabase({ empty: true });
    const start = () => startServer({ env: { DATABASE_URL: url, ...secrets } });
    const servers = await Promise.all([start(), start(), start()]);
    for (const server of servers) expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
    const client = new pg.Client(url);
    await client.connect();
    const { rows } = await client.query(
      "SELECT migration_name, count(*)::int AS times FROM _prisma_migrations GROUP BY 1",
    );
    await client.end();
    expect(rows.map(({ times }) => times)).toEqual(rows.map(() => 1));
    expect(await Promise.all(servers.map((server) => server.stop()))).toEqual([0, 0, 0]);
    await drop();
  });

  // Proves configuration.own-database
  test("start no database and create no secrets", async () => {
    const { url, drop } = await createTestDatabase();
    const server = await startServer({ env: { DATABASE_URL: url, ...secrets } });
    expect(server.logs()).toContain(`Millrace is ready at ${server.url}`);
    expect(server.logs()).not.toMatch(/database|migration/);
    expect(existsSync(join(server.dataDir, "auth-secret"))).toBe(false);
    expect(await server.stop()).toBe(0);
    await drop();
  });
});
