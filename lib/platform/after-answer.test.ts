import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { createTestDatabase } from "#e2e/support/test-database.ts";
import { closeIdleConnections, keepRunning } from "./after-answer.ts";

const key = Symbol.for("@next/request-context");
const works: Promise<unknown>[] = [];

function asOnFunctions(): void {
  Reflect.set(globalThis, key, { get: () => ({ waitUntil: (work: Promise<unknown>) => void works.push(work) }) });
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, key);
  works.length = 0;
});

test("the host is told about work in progress, but not about its failure", async () => {
  asOnFunctions();
  keepRunning(Promise.reject(new Error("told elsewhere")));
  expect(works).toHaveLength(1);
  await expect(works[0]).resolves.toBeUndefined();
});

test("nothing happens on a host without this feature, or outside of a request", () => {
  keepRunning(Promise.resolve());
  Reflect.set(globalThis, key, { get: () => undefined });
  keepRunning(Promise.resolve());
  expect(works).toEqual([]);
});

test("a function keeps running until its connections are closed", async () => {
  asOnFunctions();
  const database = await createTestDatabase({ empty: true });
  const idleMs = 1_000;
  const pool = new pg.Pool({ connectionString: database.url, max: 2, idleTimeoutMillis: idleMs });
  closeIdleConnections(pool, idleMs);
  await Promise.all([pool.query("SELECT 1"), pool.query("SELECT 2")]);
  await pool.query("SELECT 3");
  expect(works).toHaveLength(3);
  expect(pool.totalCount).toBe(2);
  await Promise.all(works);
  expect(pool.totalCount).toBe(0);
  await pool.end();
  await database.drop();
});
