// A pooler that hands each transaction to another connection, as the driver sees it: prepared statements are missing.
import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import { inTransaction, pool, query } from "./database.ts";

inOwnDatabase();
beforeAll(async () => {
  process.env.DATABASE_CONNECTIONS = "1";
});

const prepared = async () => (await pool().query("SELECT name FROM pg_prepared_statements")).rows;
const seqscan = async () => (await pool().query("SHOW enable_seqscan")).rows[0];
const selectOne = () => query<{ one: number }>("one", "SELECT 1 AS one", []);

test("a statement lost to a pooler still runs, and none is prepared from then on", async () => {
  await selectOne();
  expect(await prepared()).toEqual([{ name: "one" }]);
  expect(await seqscan()).toEqual({ enable_seqscan: "off" });
  await pool().query("DEALLOCATE ALL");
  expect(await selectOne()).toEqual([{ one: 1 }]);
  expect(await inTransaction((run) => run("one", "SELECT 1 AS one", []))).toEqual([{ one: 1 }]);
  expect(await prepared()).toEqual([]);
});

test("a connection through a pooler keeps PostgreSQL's default settings, because others use it too", async () => {
  const client = await pool().connect();
  client.release(true);
  expect(await seqscan()).toEqual({ enable_seqscan: "on" });
});
