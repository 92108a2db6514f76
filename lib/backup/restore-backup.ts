// Restores a backup. Everything about the file and the target is checked before anything is changed, and all changes of
// the database are one transaction: an interrupted restore leaves it unchanged.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { BackupError } from "#lib/errors.ts";
import { type Migration, makeRecord, prismaLock, readMigrations } from "#lib/platform/migrate.ts";
import { sealingKey } from "#lib/platform/seal.ts";
import { CopyIn } from "./copy.ts";
import { RestoredDatabases } from "./databases.ts";
import {
  type BackedUpDatabase,
  type BackedUpFile,
  type DatabaseEnd,
  type Frame,
  fromFile,
  type Manifest,
  type Sequence,
} from "./frames.ts";
import { keyOf } from "./sealed-file.ts";
import { keysIn, refuseNewer, tablesOf, writtenBy } from "./tables.ts";
import { listOf } from "./write-backup.ts";

/** PostgreSQL's code for an object that cannot be dropped because others depend on it. */
const dependentObjects = "2BP01";

/** `key`: the file's key. Derived once, because that takes as much memory as everything else. */
export type Contents = { manifest: Manifest; rows: ReadonlyMap<string, number>; key: Buffer };

/** Reads the whole file and returns what it holds. Throws a BackupError unless it is complete and unchanged. */
export async function checkBackup(file: string, passphrase: string): Promise<Contents> {
  const key = await keyOf(file, passphrase);
  let manifest: Manifest | undefined;
  const rows = new Map<string, number>();
  let table = "";
  for await (const frame of fromFile(file, key)) {
    if (frame.kind === "manifest") manifest = frame.content;
    else if (frame.kind === "table") table = frame.content.name;
    else if (frame.kind === "tableEnd") rows.set(table, frame.content.rows);
  }
  if (manifest === undefined) throw new BackupError(`${file} is damaged: it does not say what it is`);
  return { manifest, rows, key };
}

/** Refuses a backup that this version cannot restore. */
export function refuseUnknown({ migrations, version }: Manifest, migrationsDirectory: string): void {
  refuseNewer(migrations, readMigrations(migrationsDirectory), `The backup, of version ${version},`);
}

/** Refuses keys that do not decrypt the backup's secrets. */
export function refuseOtherKeys({ secrets, keyVersions }: Manifest, given: readonly string[]): void {
  const opens = new Set(given.map((key) => sealingKey(key).version));
  const own = keysIn(secrets);
  // Values that none of the backup's own keys opens were already lost.
  const missing = keyVersions.filter((version) => own.has(version) && !opens.has(version));
  if (missing.length === 0) return;
  const isCurrent = missing.includes(sealingKey(secrets.encryptionKey).version);
  const problem = isCurrent
    ? "ENCRYPTION_KEY is not the one of this backup, whose credentials it would not open: set the backup's, which"
    : "ENCRYPTION_KEY_OLD is missing, with which credentials of this backup are still sealed: set the backup's, which";
  throw new BackupError(`${problem} \`npm run restore -- FILE --show-secrets\` prints`);
}

export type ContentCounts = { workspaces: number; flows: number; runs: number };

/** What Millrace has in the database; undefined if nothing. Refuses a database that servers are using. */
export async function contentsOf(client: pg.Client, migrationsDirectory: string): Promise<ContentCounts | undefined> {
  const { rows } = await client.query<{ servers: number }>(
    `SELECT count(*)::int AS servers FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'millrace' AND pid <> pg_backend_pid()`,
  );
  if (rows[0]?.servers) throw new BackupError("A running Millrace uses the database: stop it first");
  const { own } = await tablesOf(client, writtenBy(readMigrations(migrationsDirectory)).tables);
  const filled = own.filter(({ name }) => name !== "_prisma_migrations");
  let isEmpty = true;
  for (const { name } of filled) isEmpty &&= !(await hasRows(client, name));
  if (isEmpty) return undefined;
  const count = (name: string) => (own.some((table) => table.name === name) ? countOf(client, name) : 0);
  const [workspaces, flows, runs] = [await count("workspace"), await count("flow"), await count("execution")];
  return { workspaces, flows, runs };
}

async function hasRows(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query(`SELECT EXISTS (SELECT 1 FROM ${client.escapeIdentifier(name)}) AS found`);
  return rows[0].found;
}

async function countOf(client: pg.Client, name: string): Promise<number> {
  const { rows } = await client.query(`SELECT count(*) AS count FROM ${client.escapeIdentifier(name)}`);
  return Number(rows[0].count);
}

/**
 * Replaces Millrace's data in the database with the backup, with the schema of the backup's version. `beforeCommit` is
 * called once everything is in place.
 */
export async function restoreInto(
  client: pg.Client,
  { file, contents, migrationsDirectory, keepFile, databaseFolder }: RestoreOptions,
  beforeCommit: () => void = () => {},
): Promise<void> {
  const here = readMigrations(migrationsDirectory);
  const names = new Set(contents.manifest.migrations.map(({ name }) => name));
  await client.query("BEGIN");
  await client.query(`
    SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL datestyle = 'ISO'; SET LOCAL timezone = 'UTC'; SET LOCAL maintenance_work_mem = '64MB'`);
  await client.query("SELECT pg_advisory_xact_lock($1)", [prismaLock]);
  await clear(client, here);
  await client.query(makeRecord);
  for (const { name, sql } of here) if (names.has(name)) await client.query(sql);
  const indexes = await takeIndexes(client, writtenBy(here).tables);
  const databases = databaseFolder === undefined ? undefined : new RestoredDatabases(databaseFolder);
  await databases?.clear();
  await fill(client, fromFile(file, contents.key), contents.rows, { keepFile, databases });
  for (const definition of indexes) await client.query(definition);
  beforeCommit();
  await client.query("COMMIT");
  await databases?.putBack();
  await client.query("ANALYZE");
}

/** Stores the bytes of a file again, and returns where they are. */
export type KeepFile = (file: BackedUpFile, bytes: AsyncIterable<Buffer>) => Promise<"disk" | "bucket">;

export type RestoreOptions = {
  file: string;
  contents: Contents;
  migrationsDirectory: string;
  keepFile?: KeepFile;
  /** Where to put workspaces' SQLite files; by default, they are left out. */
  databaseFolder?: string;
};

type Places = { keepFile: KeepFile | undefined; databases: RestoredDatabases | undefined };

/** Removes Millrace's tables and functions, and nothing else in the same schema. */
async function clear(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  const known = writtenBy(migrations);
  const { own } = await tablesOf(client, known.tables);
  const tables = own.map(({ name }) => client.escapeIdentifier(name));
  if (tables.length > 0) await drop(client, `TABLE ${tables.join(", ")}`);
  const { rows } = await client.query<{ signature: string }>(
    `SELECT oid::regprocedure::text AS signature FROM pg_proc
     WHERE pronamespace = current_schema()::regnamespace AND proname::text = ANY($1)`,
    [[...known.functions]],
  );
  if (rows.length > 0) await drop(client, `FUNCTION ${rows.map(({ signature }) => signature).join(", ")}`);
}

/** Fails if something else depends on these, such as a view: it is not Millrace's to drop. */
async function drop(client: pg.Client, objects: string): Promise<void> {
  try {
    await client.query(`DROP ${objects}`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === dependentObjects)) throw error;
    const detail = "detail" in error ? `: ${error.detail}` : "";
    throw new BackupError(`Something else depends on Millrace's tables: drop it first${detail}`);
  }
}

/**
 * Drops the indexes that no constraint needs, and returns how to recreate them: building them afterwards costs a
 * fraction.
 */
async function takeIndexes(client: pg.Client, known: ReadonlySet<string>): Promise<string[]> {
  const { rows } = await client.query<{ index: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS index, pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
     WHERE t.relnamespace = current_schema()::regnamespace AND t.relname = ANY($1) AND NOT i.indisprimary
       AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)`,
    [[...known]],
  );
  for (const { index } of rows) await client.query(`DROP INDEX ${index}`);
  return rows.map(({ definition }) => definition);
}

async function fill(
  client: pg.Client,
  source: AsyncIterable<Frame>,
  expected: Contents["rows"],
  { keepFile, databases }: Places,
): Promise<void> {
  const frames = source[Symbol.asyncIterator]();
  const next = async () => (await frames.next()).value as Frame | undefined;
  for (let frame = await next(); frame !== undefined; frame = await next()) {
    if (frame.kind === "table") {
      const copy = client.query(new CopyIn(`COPY ${listOf(client, frame.content)} FROM STDIN`));
      await pipeline(Readable.from(rowsOf(next), { highWaterMark: 1 }), copy);
      if (copy.rows !== expected.get(frame.content.name)) {
        throw new BackupError(`Table ${frame.content.name} was not received completely`);
      }
    } else if (frame.kind === "sequences") {
      for (const sequence of frame.content) await setSequence(client, sequence);
    } else if (frame.kind === "file") {
      await restoreFile(client, frame.content, next, keepFile);
    } else if (frame.kind === "database") {
      await restoreDatabase(frame.content, next, databases);
    }
  }
}

async function restoreDatabase(
  database: BackedUpDatabase,
  next: () => Promise<Frame | undefined>,
  databases: RestoredDatabases | undefined,
): Promise<void> {
  let end: DatabaseEnd = { size: 0, sha256: "", isWhole: false };
  const bytes = async function* () {
    let frame = await next();
    for (; frame?.kind === "data"; frame = await next()) yield frame.content;
    if (frame?.kind === "databaseEnd") end = frame.content;
  };
  if (databases === undefined) for await (const _ of bytes());
  else await databases.keep(database, bytes(), () => end);
}

/** An incomplete file is left out, together with its row. */
async function restoreFile(
  client: pg.Client,
  file: BackedUpFile,
  next: () => Promise<Frame | undefined>,
  keepFile: KeepFile | undefined,
): Promise<void> {
  let isWhole = false;
  const bytes = async function* () {
    let frame = await next();
    for (; frame?.kind === "data"; frame = await next()) yield frame.content;
    isWhole = frame?.kind === "fileEnd" && frame.content.isWhole;
  };
  let place: string | undefined;
  if (keepFile === undefined) for await (const _ of bytes());
  else place = await keepFile(file, bytes());
  if (isWhole && place !== undefined) {
    await client.query("UPDATE file SET place = $2 WHERE id = $1", [file.id, place]);
    return;
  }
  await client.query(
    `WITH gone AS (DELETE FROM file WHERE id = $1 RETURNING workspace_id, charged)
     UPDATE file_usage u SET bytes = u.bytes - gone.charged FROM gone WHERE u.workspace_id = gone.workspace_id`,
    [file.id],
  );
}

/** The rows of a table, up to its end. */
async function* rowsOf(next: () => Promise<Frame | undefined>): AsyncGenerator<Buffer> {
  for (let frame = await next(); frame?.kind === "data"; frame = await next()) yield frame.content;
}

async function setSequence(client: pg.Client, { name, value, isCalled }: Sequence): Promise<void> {
  const place = client.escapeIdentifier(name);
  await client.query("SELECT setval($1::regclass, $2::bigint, $3)", [place, value, isCalled]);
}
