import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#e2e/support/test-database.ts";
import { migrate } from "./migrate.ts";

let database: TestDatabase;
let directory: string;
const clients: pg.Client[] = [];
const lines: string[] = [];

beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  directory = mkdtempSync(join(tmpdir(), "migrations-"));
  writeFileSync(join(directory, "migration_lock.toml"), "");
  lines.length = 0;
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await database.drop();
});

function addMigration(name: string, sql: string): void {
  mkdirSync(join(directory, name), { recursive: true });
  writeFileSync(join(directory, name, "migration.sql"), sql);
}

async function newClient(): Promise<pg.Client> {
  const client = new pg.Client(database.url);
  clients.push(client);
  await client.connect();
  return client;
}

const apply = async () => migrate(await newClient(), directory, (line) => lines.push(line));
const rowsOf = async (sql: string) => (await (await newClient()).query(sql)).rows;

describe("migrations", () => {
  test("are applied in order, and once", async () => {
    addMigration("2_second", "ALTER TABLE a ADD y INT;");
    addMigration("1_first", "CREATE TABLE a (x INT); INSERT INTO a VALUES (1);");
    expect(await apply()).toBe(2);
    expect(await apply()).toBe(0);
    expect(await rowsOf("SELECT * FROM a")).toEqual([{ x: 1, y: null }]);
    expect(lines).toEqual(["Applying 2 migrations…"]);
  });

  test("are recorded as Prisma records them", async () => {
    const sql = "CREATE TABLE a (x INT); -- ü";
    addMigration("20260101000000_a", sql);
    await apply();
    const [row] = await rowsOf("SELECT * FROM _prisma_migrations");
    expect(row).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      checksum: createHash("sha256").update(sql).digest("hex"),
      finished_at: expect.any(Date),
      migration_name: "20260101000000_a",
      logs: null,
      rolled_back_at: null,
      started_at: expect.any(Date),
      applied_steps_count: 1,
    });
    expect(row.finished_at >= row.started_at).toBe(true);
  });

  test("are applied once by instances that start together", async () => {
    addMigration("1_a", "CREATE TABLE a (x INT); INSERT INTO a VALUES (1);");
    addMigration("2_b", "INSERT INTO a VALUES (2); SELECT pg_sleep(0.1);");
    const counts = await Promise.all(Array.from({ length: 8 }, apply));
    expect(counts.reduce((a, b) => a + b)).toBe(2);
    expect(await rowsOf("SELECT x FROM a ORDER BY x")).toEqual([{ x: 1 }, { x: 2 }]);
  });

  test("leave nothing behind when they fail", async () => {
    addMigration("1_a", "CREATE TABLE a (x INT);");
    addMigration("2_b", "CREATE TABLE b (x INT); SELECT 1/0;");
    await expect(apply()).rejects.toThrow("Migration 2_b failed, and nothing of it was kept: division by zero");
    expect(await rowsOf("SELECT migration_name FROM _prisma_migrations")).toEqual([{ migration_name: "1_a" }]);
    expect(await rowsOf("SELECT to_regclass('b') AS b")).toEqual([{ b: null }]);
    addMigration("2_b", "CREATE TABLE b (x INT);");
    expect(await apply()).toBe(1);
  });

  test("must not change once applied", async () => {
    addMigration("1_a", "CREATE TABLE a (x INT);");
    await apply();
    addMigration("1_a", "CREATE TABLE a (x INT, y INT);");
    await expect(apply()).rejects.toThrow("Migration 1_a was changed after it was applied: restore its file");
  });

  test("that Prisma started and did not finish prevent the start", async () => {
    addMigration("1_a", "CREATE TABLE a (x INT);");
    await apply();
    await rowsOf("UPDATE _prisma_migrations SET finished_at = NULL");
    await expect(apply()).rejects.toThrow("Migration 1_a began and failed");
  });

  test("that were rolled back are applied again", async () => {
    addMigration("1_a", "CREATE TABLE IF NOT EXISTS a (x INT);");
    await apply();
    await rowsOf("UPDATE _prisma_migrations SET finished_at = NULL, rolled_back_at = now()");
    expect(await apply()).toBe(1);
  });

  test("of a newer version of Millrace do not affect an older one", async () => {
    addMigration("1_a", "CREATE TABLE a (x INT);");
    await apply();
    await rowsOf("UPDATE _prisma_migrations SET migration_name = '9_newer', checksum = 'x'");
    await rowsOf("DROP TABLE a");
    expect(await apply()).toBe(1);
  });
});
