import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import { nowMs } from "../clock.ts";
import { pool, query } from "../database.ts";
import { followDatabaseClock } from "./clock.ts";

inOwnDatabase();
beforeAll(() => {
  process.env.DATABASE_CONNECTIONS = "1";
});

test("is right from the start, though its first reading may have waited for a connection", async () => {
  const connection = await pool().connect();
  const following = followDatabaseClock();
  await connection.query("SELECT pg_sleep(0.4)");
  connection.release();
  await following;
  const before = nowMs();
  const [row] = await query<{ ms: number }>(
    "now",
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms",
    [],
  );
  expect(row?.ms).toBeGreaterThanOrEqual(before - 20);
  expect(row?.ms).toBeLessThan(nowMs() + 20);
});
