import { createServer, connect as dial, type Socket } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import { isUnavailable } from "../database.ts";
import { closeSilentConnections } from "./silent-connections.ts";

const patience = { checkEveryMs: 20, silentChecksMax: 3, probeMsMax: 200 };

let path: Awaited<ReturnType<typeof freezablePath>>;
let pool: pg.Pool;
inOwnDatabase();
beforeAll(async () => {
  path = await freezablePath(process.env.DATABASE_URL ?? "");
  pool = new pg.Pool({ connectionString: path.url, max: 3, connectionTimeoutMillis: 500 });
  pool.on("error", () => {});
  closeSilentConnections(pool, path.url, patience);
});
afterAll(async () => {
  await pool.end();
  await path.close();
});

/** A proxy to the database that, while frozen, accepts everything and passes nothing on. */
async function freezablePath(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const state = { isFrozen: false };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = dial(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => state.isFrozen || to.write(bytes));
      from.on("error", () => {}).on("close", () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(databaseUrl);
  url.searchParams.delete("host"); // It names a socket.
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as { port: number }).port);
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: url.href, state, close };
}

test("statements that a hanging database would never answer fail as in an outage, and the next ones work", async () => {
  await pool.query("SELECT 1");
  path.state.isFrozen = true;
  const outcomes = await Promise.allSettled([pool.query("SELECT 1"), pool.query("SELECT pg_sleep(0)")]);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ status: "rejected" });
    expect(isUnavailable((outcome as PromiseRejectedResult).reason)).toBe(true);
  }
  path.state.isFrozen = false;
  expect((await pool.query("SELECT 2 AS two")).rows).toEqual([{ two: 2 }]);
});

test("a long statement is left alone, because the database answers others", async () => {
  const { rows } = await pool.query("SELECT 1 AS one FROM pg_sleep(0.5)");
  expect(rows).toEqual([{ one: 1 }]);
});
