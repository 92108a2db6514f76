// BOOTSTRAP_EMAIL names an owner: until the first workspace exists nobody is served, and nobody else can own it.
import pg from "pg";
import { expect, test } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { freePort, startServer } from "#e2e/support/server.ts";
import { createTestDatabase } from "#e2e/support/test-database.ts";

const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "e".repeat(32) };

/** A database in which no workspace can be written until `release` is called, while no statement waits long for it. */
async function lockedDatabase() {
  const { url } = await createTestDatabase();
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET lock_timeout = '100ms'`);
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE workspace IN EXCLUSIVE MODE");
  const waiting = async () => {
    const { rows } = await holder.query(
      "SELECT 1 FROM pg_locks WHERE relation = 'workspace'::regclass AND NOT granted",
    );
    return rows.length;
  };
  return { url, waiting, release: () => holder.end() };
}

test("a start waits for the first workspace: not healthy, not ready, requests refused until it exists", async () => {
  const locked = await lockedDatabase();
  const port = `${await freePort()}`;
  const base = `http://localhost:${port}`;
  let isReady = false;
  const starting = startServer({ env: { DATABASE_URL: locked.url, PORT: port, ...secrets } });
  starting.then(
    () => {
      isReady = true;
    },
    () => {},
  );
  const answer = (path: string) =>
    fetch(base + path, { redirect: "manual" }).then(
      (response) => response,
      () => undefined,
    );
  const health = await eventually("the server listens", () => answer("/api/health"), 60_000);
  expect(health.status).toBe(503);
  expect(await health.json()).toEqual({ status: "starting", database: "ok" });

  const api = await answer("/api/v1/flows");
  expect(api?.status).toBe(503);
  expect(Number(api?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await api?.json()).toMatchObject({ success: false, error: { code: "SERVICE_UNAVAILABLE" } });
  for (const path of ["/setup", "/sign-up", "/api/auth/session", "/v1/webhooks/hook_x"]) {
    expect([path, (await answer(path))?.status]).toEqual([path, 503]);
  }
  // It waits for the lock.
  await eventually("the first workspace is tried", async () => ((await locked.waiting()) > 0 ? true : undefined));
  expect(isReady).toBe(false);

  await locked.release();
  const server = await starting;
  expect((await answer("/api/health"))?.status).toBe(200);
  const headers = { authorization: `Bearer ${server.apiKey}` };
  expect((await fetch(`${base}/api/v1/flows`, { headers })).status).toBe(200);
  expect((await answer("/setup"))?.headers.get("location")).toBe("/sign-in");
  expect(await server.stop()).toBe(0);
});
