import { createServer } from "node:net";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CuttingProxy, cuttingProxy } from "#e2e/support/cutting-proxy.ts";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import { database, inTransaction, isUnavailable, pool, query, queryUnderLock } from "./database.ts";
import { Prisma, PrismaClient } from "./prisma/client.ts";

let proxy: CuttingProxy;
inOwnDatabase();
beforeAll(async () => {
  proxy = await cuttingProxy(process.env.DATABASE_URL ?? "");
  process.env.DATABASE_URL = proxy.url;
});
afterAll(() => proxy.close());

const where = { id: "ws_none" };
const work: Readonly<Record<string, () => Promise<unknown>>> = {
  "a query of Prisma's": () => database().workspace.findFirst({ where }),
  "raw SQL through Prisma": () => database().$queryRaw`SELECT 1 AS one`,
  "a transaction of Prisma's": () =>
    database().$transaction(async (tx) => {
      await tx.workspace.findFirst({ where });
      await tx.$executeRaw`SELECT 1`;
    }),
  "a list of statements": () => database().$transaction([database().workspace.count(), database().flow.count()]),
  "a prepared statement": () => query("one", "SELECT 1 AS one", []),
  "a statement under a lock": () => queryUnderLock(1n, "SELECT 1 AS one", []),
};

describe.each(Object.entries(work))("%s", (_, run) => {
  test.each(["before", "after"] as const)(
    "that loses its connection %s any statement meets an outage",
    async (side) => {
      await run();
      proxy.arm(0);
      await run();
      const statements = proxy.disarm();
      expect(statements).toBeGreaterThan(0);
      for (let index = 1; index <= statements; index += 1) {
        proxy.arm(index, side);
        const error = await run().then(
          () => null,
          (thrown: unknown) => thrown,
        );
        proxy.disarm();
        if (error !== null) expect([String(error), isUnavailable(error)]).toEqual([String(error), true]);
      }
    },
  );
});

test("a transaction whose connection the server ends reports an outage", async () => {
  const slow = database().$transaction(async (tx) => {
    const [row] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    await query("end", "SELECT pg_terminate_backend($1)", [row?.pid]);
    await tx.$queryRaw`SELECT 1`;
  });
  const error = await slow.catch((thrown: unknown) => thrown);
  expect([String(error), isUnavailable(error)]).toEqual([String(error), true]);
});

const thrownBy = (run: () => Promise<unknown>) =>
  run().then(
    () => null,
    (thrown: unknown) => thrown,
  );

describe("a transaction whose process has stopped", () => {
  test("is ended by the database after half a minute, so that no other process waits longer for its locks", async () => {
    const limit = await query("idle-limit", "SHOW idle_in_transaction_session_timeout", []);
    expect(limit).toEqual([{ idle_in_transaction_session_timeout: "30s" }]);
  });

  test("meets an outage when the process continues", async () => {
    const isThere = "SELECT 1 FROM pg_stat_activity WHERE pid = $1";
    const error = await thrownBy(() =>
      inTransaction(async (run, client) => {
        await client.query("SET LOCAL idle_in_transaction_session_timeout = 50");
        const [own] = await run<{ pid: number }>("own-pid", "SELECT pg_backend_pid() AS pid", []);
        await expect.poll(() => query("is-there", isThere, [own?.pid])).toEqual([]);
        await run("one-more", "SELECT 1 AS one", []);
      }),
    );
    expect([String(error), isUnavailable(error)]).toEqual([String(error), true]);
  });
});

test("a statement on a closed connection reports an outage", async () => {
  const client = await pool().connect();
  client.release(true);
  const error = await thrownBy(() => client.query("SELECT 1"));
  expect([String(error), isUnavailable(error)]).toEqual(["Error: Client was closed and is not queryable", true]);
});

describe("a Unix socket whose server is away", () => {
  const connectionString = "postgresql://somebody@127.0.0.1:5432/none?host=%2Fno%2Fsuch%2Fdirectory";

  test("is an outage to a query", async () => {
    const error = await thrownBy(() => new pg.Client({ connectionString }).connect());
    expect([String(error), isUnavailable(error)]).toEqual([expect.stringContaining("connect ENOENT"), true]);
  });

  test("is an outage to Prisma", async () => {
    const client = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
    const error = await thrownBy(() => client.workspace.findFirst({ where }).finally(() => client.$disconnect()));
    expect(error).toBeInstanceOf(Error);
    expect([String(error), isUnavailable(error)]).toEqual([String(error), true]);
  });
});

describe("a connection that cannot establish TLS", () => {
  /** A proxy that answers the TLS request with neither yes nor no. */
  async function withoutTls(work: (connectionString: string) => Promise<unknown>): Promise<unknown> {
    const server = createServer((socket) => socket.on("error", () => {}).once("data", () => socket.end("X")));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const error = await thrownBy(() => work(`postgresql://somebody@127.0.0.1:${port}/none?sslmode=verify-full`));
    await new Promise((resolve) => server.close(resolve));
    return error;
  }

  test("is an outage to a query", async () => {
    const error = await withoutTls((connectionString) => new pg.Client({ connectionString }).connect());
    expect([String(error), isUnavailable(error)]).toEqual([expect.stringContaining("SSL connection"), true]);
  });

  test("is an outage to Prisma", async () => {
    const error = await withoutTls(async (connectionString) => {
      const client = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
      await client.workspace.findFirst({ where }).finally(() => client.$disconnect());
    });
    expect(error).toBeInstanceOf(Error);
    expect([String(error), isUnavailable(error)]).toEqual([String(error), true]);
  });
});

test.each<[string, Error]>([
  ["a Prisma that could not start", new Prisma.PrismaClientInitializationError("no answer", "7", "P1001")],
  ["a cause that has only a kind", Object.assign(new Error(), { cause: { kind: "TlsConnectionError" } })],
  ["one of several causes", new AggregateError([Object.assign(new Error(), { code: "ECONNREFUSED" })])],
])("%s is an outage", (_, error) => {
  expect(isUnavailable(error)).toBe(true);
});

test.each<[string, Error]>([
  ["a wrong password", new Prisma.PrismaClientInitializationError("no", "7", "P1000")],
  ["a row that is there already", Object.assign(new Error(), { code: "23505" })],
  ["a statement that is too large", new RangeError("Invalid string length")],
  ["any other error", new Error("no such thing")],
])("%s is none", (_, error) => {
  expect(isUnavailable(error)).toBe(false);
});
