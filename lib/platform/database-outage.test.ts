import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CuttingProxy, cuttingProxy } from "#e2e/support/cutting-proxy.ts";
import { useOwnDatabase } from "#e2e/support/own-database.ts";
import { database, isUnavailable, query, queryUnderLock } from "./database.ts";

let own: { drop(): Promise<void> };
let proxy: CuttingProxy;
beforeAll(async () => {
  own = await useOwnDatabase();
  proxy = await cuttingProxy(process.env.DATABASE_URL ?? "");
  process.env.DATABASE_URL = proxy.url;
});
afterAll(async () => {
  await own.drop();
  await proxy.close();
});

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
      for (let nth = 1; nth <= statements; nth += 1) {
        proxy.arm(nth, side);
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

test("a transaction whose connection the server ends meets an outage", async () => {
  const slow = database().$transaction(async (tx) => {
    const [row] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    await query("end", "SELECT pg_terminate_backend($1)", [row?.pid]);
    await tx.$queryRaw`SELECT 1`;
  });
  const error = await slow.catch((thrown: unknown) => thrown);
  expect([String(error), isUnavailable(error)]).toEqual([String(error), true]);
});
