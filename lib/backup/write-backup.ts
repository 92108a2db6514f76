// Writes a backup: a snapshot of the database, with the secrets that decrypt it.
import { randomUUID } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { link, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { BackupError } from "#lib/errors.ts";
import { prismaLock, readMigrations } from "#lib/platform/migrate.ts";
import { CopyOut } from "./copy.ts";
import { framesOfDatabases } from "./databases.ts";
import { type BackedUpFile, type Frame, type Manifest, type Table, toFile } from "./frames.ts";
import {
  countUndecryptable,
  keyVersionsOf,
  migrationsOf,
  sequencesOf,
  tablesOf,
  undecryptableNote,
  writtenBy,
} from "./tables.ts";

export type BackupSource = {
  /** A dedicated connection, unusable afterwards. */
  client: pg.Client;
  secrets: Manifest["secrets"];
  version: string;
  migrationsDirectory: string;
  /** The bytes of a file that is not in the tables. */
  readFile?: (id: string, place: string) => Promise<AsyncIterable<Buffer>>;
  /** The folder of workspaces' SQLite files. */
  databaseFolder?: string;
};

/** The disk is full, or broken. */
const fullCodes: readonly string[] = ["ENOSPC", "EDQUOT", "EFBIG", "EIO"];

/** Writes a backup into a new file and returns how many rows of how many tables it holds. */
export async function writeBackup(
  source: BackupSource,
  { file, passphrase, log }: { file: string; passphrase: string; log(line: string): void },
): Promise<{ rows: number; tables: number; bytes: number }> {
  if (existsSync(file)) throw new BackupError(`${file} already exists: name another file`);
  await removeAbandoned(dirname(file));
  const count = { rows: 0, tables: 0 };
  // A unique name, because another backup may be writing to the same file.
  const unfinished = `${file}.${randomUUID().slice(0, 8)}.unfinished`;
  try {
    const bytes = Readable.from(toFile(passphrase, framesOf(source, count, log)), { highWaterMark: 1 });
    // It contains every secret: readable by its owner only, and synced to disk before it gets its name.
    const written = createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true });
    await pipeline(bytes, written);
    await renameInto(unfinished, file);
    return { ...count, bytes: written.bytesWritten };
  } catch (error) {
    const { path, code = "", message } = error as NodeJS.ErrnoException;
    if (path !== unfinished && !fullCodes.includes(code)) throw error;
    throw new BackupError(`${file} cannot be written: ${message}`);
  } finally {
    await rm(unfinished, { force: true }).catch(() => undefined);
  }
}

/** A backup in progress writes all the time. */
const abandonedMs = 24 * 3_600_000;

/** Removes the partial files of backups in this folder that were killed. */
async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!/\.[0-9a-f]{8}\.unfinished$/.test(name)) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > abandonedMs) await rm(path, { force: true }).catch(() => undefined);
  }
}

/** Never overwrites a file created meanwhile. */
async function renameInto(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file);
  } catch {
    // The file exists, or the file system has no links.
    if (existsSync(file)) throw new BackupError(`${file} already exists: name another file`);
    return rename(unfinished, file);
  }
  await rm(unfinished);
}

async function* framesOf(
  { client, secrets, version, migrationsDirectory, readFile, databaseFolder }: BackupSource,
  count: { rows: number; tables: number },
  log: (line: string) => void,
): AsyncGenerator<Frame> {
  const here = readMigrations(migrationsDirectory);
  const { tables: known } = writtenBy(here);
  await begin(client, (await tablesOf(client, known)).own);
  const migrations = await migrationsOf(client, here);
  if (migrations.length === 0) throw new BackupError("The database is empty: there is nothing to back up");
  const { own, others } = await tablesOf(client, known);
  if (others.length > 0) log(`Not backed up, because they are not Millrace's: ${others.join(", ")}`);
  const createdAt = new Date().toISOString();
  const used = await keyVersionsOf(client, own);
  const unopened = countUndecryptable(secrets, used);
  if (unopened > 0) log(undecryptableNote(unopened));
  const keyVersions = [...used.keys()];
  yield { kind: "manifest", content: { version, createdAt, migrations, secrets, keyVersions, unopened } };
  for (const table of own) {
    yield { kind: "table", content: table };
    const copy = client.query(new CopyOut(`COPY ${listOf(client, table)} TO STDOUT`));
    for await (const content of copy) yield { kind: "data", content };
    yield { kind: "tableEnd", content: { rows: copy.rows } };
    count.rows += copy.rows;
    count.tables += 1;
  }
  // Last, because sequences are not part of the snapshot: these are at or past every number in it.
  yield { kind: "sequences", content: await sequencesOf(client, own) };
  const files = own.some(({ name }) => name === "file") ? await filesOf(client) : [];
  await client.query("COMMIT");
  if (readFile !== undefined) for (const file of files) yield* framesOfFile(file, readFile, log);
  if (databaseFolder !== undefined) yield* framesOfDatabases(databaseFolder, log);
  yield { kind: "end", content: { tables: own.length } };
}

type FileOfBackup = BackedUpFile & { place: string };

/** Files whose bytes are not in the database. */
async function filesOf(client: pg.Client): Promise<FileOfBackup[]> {
  const { rows } = await client.query<FileOfBackup>(
    `SELECT id, content_type AS "contentType", size::float8 AS size, sha256, place
     FROM file WHERE state = 'stored' AND place <> 'database' ORDER BY id`,
  );
  return rows;
}

async function* framesOfFile(
  { place, ...file }: FileOfBackup,
  readFile: NonNullable<BackupSource["readFile"]>,
  log: (line: string) => void,
): AsyncGenerator<Frame> {
  yield { kind: "file", content: file };
  let size = 0;
  try {
    for await (const content of await readFile(file.id, place)) {
      size += content.length;
      yield { kind: "data", content };
    }
  } catch (error) {
    log(`Left out the file ${file.id}: ${error instanceof Error ? error.message : error}`);
  }
  yield { kind: "fileEnd", content: { isWhole: size === file.size } };
}

/** Opens the snapshot. An upgrade waits for it to end, as for any reader. */
async function begin(client: pg.Client, tables: readonly Table[]): Promise<void> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await client.query(`
    SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL datestyle = 'ISO'; SET LOCAL timezone = 'UTC'; SET LOCAL bytea_output = 'hex'`);
  // Locks out schema changes before the snapshot, which the first SELECT takes.
  const names = tables.map(({ name }) => client.escapeIdentifier(name));
  if (names.length > 0) await client.query(`LOCK TABLE ${names.join(", ")} IN ACCESS SHARE MODE`);
  // Migrations wait for this lock before they lock any table: otherwise every reader would queue behind a waiting
  // migration.
  const { rows } = await client.query("SELECT pg_try_advisory_xact_lock_shared($1) AS mine", [prismaLock]);
  if (!rows[0].mine)
    throw new BackupError("An upgrade or a restore is changing the database: try again when it is done");
}

/** `"table" ("column", …)` */
export function listOf(client: pg.Client, { name, columns }: Table): string {
  return `${client.escapeIdentifier(name)} (${columns.map((column) => client.escapeIdentifier(column)).join(", ")})`;
}
