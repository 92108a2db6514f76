import { AppError } from "#lib/errors.ts";
import type { RunStatement } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import type { Table } from "#lib/tables/table.ts";

/** How much a transaction has added to a table so far. */
export interface Growth {
  rows: number;
  bytes: number;
}

const readSize = "SELECT sum(rows)::float8 AS rows, sum(bytes)::float8 AS bytes FROM table_size WHERE table_id = $1";
const addSize = `
  INSERT INTO table_size AS s (table_id, shard, rows, bytes) VALUES ($1, $2, $3, $4)
  ON CONFLICT (table_id, shard) DO UPDATE SET rows = s.rows + excluded.rows, bytes = s.bytes + excluded.bytes`;

/** Shards of a table's size: a transaction takes any free one. */
const shards = 16;

/** Throws VALIDATION_ERROR if the table would have too many rows or bytes. */
export async function requireSpace(run: RunStatement, table: Table, growth: Growth): Promise<void> {
  const [size] = await run<{ rows: number; bytes: number }>("read-table-size", readSize, [table.id]);
  const { tableRowsMax, tableBytesMax } = env();
  const isFull = (size?.rows ?? 0) + growth.rows > tableRowsMax || (size?.bytes ?? 0) + growth.bytes > tableBytesMax;
  if (!isFull) return;
  throw new AppError("VALIDATION_ERROR", "The table is full", {
    details: { table: `may have at most ${tableRowsMax} rows and ${tableBytesMax} bytes` },
  });
}

/**
 * Adds to the table's size: once per transaction, after its other statements on tables, because it locks one shard
 * until the transaction ends.
 */
export async function addGrowth(run: RunStatement, table: Table, { rows, bytes }: Growth): Promise<void> {
  if (rows === 0 && bytes === 0) return;
  await run("add-table-size", addSize, [table.id, Math.floor(Math.random() * shards), rows, bytes]);
}
