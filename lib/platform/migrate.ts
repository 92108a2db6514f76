// Applies prisma/migrations in order, each in a transaction, with the same record as `prisma migrate deploy`: either
// may be used at any time.

import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { DatabaseError } from "#lib/errors.ts";

/** The number of Prisma's own advisory lock, so that its command and this one wait for each other. */
export const prismaLock = 72_707_369;

/** Creates Prisma's table of applied migrations. */
export const makeRecord = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

export type Migration = { name: string; sql: string; checksum: string };
type Applied = { migration_name: string; checksum: string; finished_at: Date | null };

/** Migrates the database and returns how many migrations were applied. Concurrent starts take turns. */
export async function migrate(client: pg.Client, directory: string, log: (line: string) => void): Promise<number> {
  const migrations = readMigrations(directory);
  const missing = missingOf(migrations, await appliedTo(client));
  if (missing.length > 0) log(`Applying ${missing.length} migration${missing.length === 1 ? "" : "s"}…`);
  let count = 0;
  for (const migration of missing) {
    if (await applyOnce(client, migration)) count++;
  }
  return count;
}

/** The migrations of a directory, in their order. */
export function readMigrations(directory: string): Migration[] {
  return readdirSync(directory)
    .filter((name) => existsSync(join(directory, name, "migration.sql")))
    .sort()
    .map((name) => {
      const content = readFileSync(join(directory, name, "migration.sql"));
      return { name, sql: content.toString("utf8"), checksum: createHash("sha256").update(content).digest("hex") };
    });
}

/** The migrations applied to the database. */
export async function appliedTo(client: pg.Client): Promise<Applied[]> {
  const { rows } = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists");
  return rows[0].exists ? readRecord(client) : [];
}

async function readRecord(client: pg.Client): Promise<Applied[]> {
  const { rows } = await client.query<Applied>(
    "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
  );
  return rows;
}

/** The migrations not applied yet. Refuses a database whose record contradicts the files. */
function missingOf(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  for (const { migration_name: name, finished_at: finishedAt, checksum } of applied) {
    if (finishedAt === null) {
      throw new DatabaseError(`Migration ${name} began and failed; see "prisma migrate resolve" for how to continue`);
    }
    const file = migrations.find((migration) => migration.name === name);
    if (file && file.checksum !== checksum) {
      throw new DatabaseError(`Migration ${name} was changed after it was applied: restore its file`);
    }
  }
  return migrations.filter(({ name }) => !applied.some((row) => row.migration_name === name));
}

/** Applies the migration, unless another instance did while this one was waiting. */
async function applyOnce(client: pg.Client, migration: Migration): Promise<boolean> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [prismaLock]);
    await client.query(makeRecord);
    const isMissing = missingOf([migration], await readRecord(client)).length > 0;
    if (isMissing) await apply(client, migration);
    await client.query("COMMIT");
    return isMissing;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {}); // The connection itself may have failed.
    if (error instanceof DatabaseError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(`Migration ${migration.name} failed, and nothing of it was kept: ${reason}`, {
      cause: error,
    });
  }
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const startedAt = new Date();
  await client.query(sql);
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, $4, $5, 1)`,
    [randomUUID(), checksum, name, startedAt, new Date()],
  );
}
