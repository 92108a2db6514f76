import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#e2e/support/test-database.ts";
import { connect } from "#lib/platform/database/connect.ts";
import { migrate, prismaLock } from "#lib/platform/migrate.ts";
import { sealingKey } from "#lib/platform/seal.ts";
import { checkBackup, contentsOf, refuseOtherKeys, refuseUnknown, restoreInto } from "./restore-backup.ts";
import { countUndecryptable, keysIn, undecryptableNote } from "./tables.ts";
import { fillEveryTable, fingerprintOf, sealedWith } from "./testing/every-table.ts";
import { writeBackup } from "./write-backup.ts";

const migrationsDirectory = join(import.meta.dirname, "../../prisma/migrations");
const passphrase = "correct horse battery";
const secrets = { authSecret: "a".repeat(32), encryptionKey: sealedWith };
const lines: string[] = [];
const log = (line: string) => lines.push(line);

const opened: { databases: TestDatabase[]; clients: pg.Client[] } = { databases: [], clients: [] };
let directory: string;
let source: TestDatabase;
let file: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "backup-"));
  source = await createTestDatabase();
  const client = await connect(source.url);
  await fillEveryTable(client);
  await client.end();
  file = await backedUp(source.url, "filled");
});
afterAll(() => source?.drop());

beforeEach(() => void lines.splice(0));
afterEach(async () => {
  for (const client of opened.clients.splice(0)) await client.end();
  for (const database of opened.databases.splice(0)) await database.drop();
});

async function backedUp(url: string, name: string, migrations = migrationsDirectory): Promise<string> {
  const made = join(directory, `${name}.backup`);
  const from = { client: await connect(url), secrets, version: "1.2.3", migrationsDirectory: migrations };
  try {
    await writeBackup(from, { file: made, passphrase, log });
  } finally {
    await from.client.end();
  }
  return made;
}

async function clientTo(url: string): Promise<pg.Client> {
  const client = await connect(url);
  opened.clients.push(client);
  return client;
}

async function emptyTarget(): Promise<pg.Client> {
  const database = await createTestDatabase({ empty: true });
  opened.databases.push(database);
  return clientTo(database.url);
}

async function restored(client: pg.Client, from = file): Promise<void> {
  const contents = await checkBackup(from, passphrase);
  await restoreInto(client, { file: from, contents, migrationsDirectory });
}

const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe("a backup", () => {
  test("is restored row for row, in every table, with counters, indexes and constraints", async () => {
    const target = await emptyTarget();
    await restored(target);
    const expected = await fingerprintOf(await clientTo(source.url));
    expect(await fingerprintOf(target)).toEqual(expected);
    expect(Object.keys(expected).length).toBeGreaterThan(25);
    for (const [name, found] of Object.entries(expected)) {
      if (!["sequences", "indexes", "constraints", "_prisma_migrations"].includes(name)) {
        expect([name, found]).toEqual([name, { rows: 3, sum: expect.any(String) }]);
      }
    }
    expect(await migrate(target, migrationsDirectory, log)).toBe(0);
  });

  test("is a consistent snapshot of a database that others write to", async () => {
    const database = await createTestDatabase();
    opened.databases.push(database);
    const writer = await clientTo(database.url);
    let isDone = false;
    let written = 0;
    const pair = async () => {
      await writer.query("BEGIN");
      const key = `pair_${written++}`;
      await writer.query("INSERT INTO quota_window VALUES ($1, now(), 1)", [key]);
      await writer.query("INSERT INTO sign_in_failure VALUES ($1, 1, now())", [key]);
      await writer.query("COMMIT");
    };
    for (let turn = 0; turn < 20; turn++) await pair();
    const writing = (async () => {
      while (!isDone) await pair();
    })();
    const made = await backedUp(database.url, "while-written");
    isDone = true;
    await writing;
    const target = await emptyTarget();
    await restored(target, made);
    const { rows } = await target.query(`
      SELECT (SELECT array_agg(workspace_id ORDER BY 1) FROM quota_window) AS one,
        (SELECT array_agg(key ORDER BY 1) FROM sign_in_failure) AS other`);
    expect(rows[0].one).toEqual(rows[0].other);
    expect(rows[0].one.length).toBeGreaterThanOrEqual(20);
  });

  test("can be read only by its owner, and by nobody without the passphrase", () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(file);
    for (const secret of [...Object.values(secrets), "workspace.name", "encryptionKey"]) {
      expect(bytes.includes(secret)).toBe(false);
    }
  });

  test("excludes tables that are not Millrace's, and says so", async () => {
    const database = await createTestDatabase();
    opened.databases.push(database);
    await (await clientTo(database.url)).query("CREATE TABLE neighbours (id int)");
    const made = await backedUp(database.url, "with-neighbours");
    expect(lines).toEqual(["Not backed up, because they are not Millrace's: neighbours"]);
    expect([...(await checkBackup(made, passphrase)).rows.keys()]).not.toContain("neighbours");
  });

  test("removes the partial files of backups that were killed, but not of one in progress", async () => {
    const [killed, running, other] = ["a.backup.0123abcd.unfinished", "b.backup.4567cdef.unfinished", "c.unfinished"];
    for (const name of [killed, running, other]) writeFileSync(join(directory, name), "");
    const [old, now] = [new Date(Date.now() - 25 * 3_600_000), new Date()];
    for (const name of [killed, other]) utimesSync(join(directory, name), now, old);
    await backedUp(source.url, "after-a-kill");
    expect(readdirSync(directory).filter((name) => name.endsWith(".unfinished"))).toEqual([running, other]);
  });

  test("never overwrites another file, and leaves nothing behind when it fails", async () => {
    const before = readFileSync(file);
    expect(await problemOf(backedUp(source.url, "filled"))).toMatch(/^BackupError: .* already exists/);
    expect(readFileSync(file).equals(before)).toBe(true);
    const database = await createTestDatabase({ empty: true });
    opened.databases.push(database);
    expect(await problemOf(backedUp(database.url, "of-nothing"))).toBe(
      "BackupError: The database is empty: there is nothing to back up",
    );
    expect(readdirSync(directory).filter((name) => name.startsWith("of-nothing"))).toEqual([]);
    for (const place of ["no-folder/made", "filled/made"]) {
      expect(await problemOf(backedUp(source.url, place))).toMatch(/^BackupError: .*made.* cannot be written: E/);
    }
  });
});

describe("the keys of a backup", () => {
  const { version } = sealingKey(sealedWith);

  test("must open some of the sealed values, if there are any", () => {
    const others = { ...secrets, encryptionKey: "n".repeat(32) };
    expect(() => countUndecryptable(others, new Map([[version, 2]]))).toThrow(
      "ENCRYPTION_KEY opens nothing of what is sealed",
    );
    expect(countUndecryptable(others, new Map())).toBe(0);
    expect(countUndecryptable({ ...others, encryptionKeyOld: sealedWith }, new Map([[version, 2]]))).toBe(0);
  });

  test("may lack lost keys, whose values are counted", () => {
    const used = new Map([
      [version, 5],
      [1, 2],
      [2, 1],
    ]);
    expect(countUndecryptable(secrets, used)).toBe(3);
    expect(undecryptableNote(3)).toMatch(/^3 sealed values were unreadable already/);
  });

  test("are those of the tables", async () => {
    const { manifest } = await checkBackup(file, passphrase);
    expect(manifest).toMatchObject({ keyVersions: [version], unopened: 0 });
  });
});

test("a backup is refused during an upgrade of the database, and prevents one from starting", async () => {
  const upgrade = await clientTo(source.url);
  await upgrade.query("BEGIN");
  await upgrade.query("SELECT pg_advisory_xact_lock($1)", [prismaLock]);
  expect(await problemOf(backedUp(source.url, "during-upgrade"))).toMatch(/^BackupError: An upgrade or a restore is/);
  await upgrade.query("ROLLBACK");
});

describe("a restore", () => {
  test("refuses a backup of a newer version, or with a different migration", async () => {
    const { manifest } = await checkBackup(file, passphrase);
    expect(() => refuseUnknown(manifest, migrationsDirectory)).not.toThrow();
    const newer = { ...manifest, migrations: [...manifest.migrations, { name: "2099_next", checksum: "0" }] };
    expect(() => refuseUnknown(newer, migrationsDirectory)).toThrow(
      "The backup, of version 1.2.3, is from a newer Millrace: it has the migration 2099_next",
    );
    const other = { ...manifest, migrations: manifest.migrations.map(({ name }) => ({ name, checksum: "0" })) };
    expect(() => refuseUnknown(other, migrationsDirectory)).toThrow("a different migration");
  });

  test("refuses keys that do not open the sealed values, and accepts a new key together with the old one", async () => {
    const { manifest } = await checkBackup(file, passphrase);
    const { version } = sealingKey(secrets.encryptionKey);
    const own = { ...manifest, keyVersions: [version] };
    expect(() => refuseOtherKeys(own, [secrets.encryptionKey])).not.toThrow();
    expect(() => refuseOtherKeys(own, ["n".repeat(32), secrets.encryptionKey])).not.toThrow();
    expect(() => refuseOtherKeys(own, ["n".repeat(32)])).toThrow("ENCRYPTION_KEY is not the one of this backup");
    // Until everything is re-encrypted, a backup needs both keys. It never needs a key that was already lost.
    const old = { ...secrets, encryptionKeyOld: "o".repeat(32) };
    const both = { ...manifest, secrets: old, keyVersions: [...keysIn(old), 1] };
    expect(() => refuseOtherKeys(both, [old.encryptionKey, old.encryptionKeyOld])).not.toThrow();
    expect(() => refuseOtherKeys(both, [old.encryptionKey])).toThrow("ENCRYPTION_KEY_OLD is missing");
    expect(() => refuseOtherKeys(both, ["n".repeat(32), old.encryptionKeyOld])).toThrow("ENCRYPTION_KEY is not the");
    expect(() => refuseOtherKeys({ ...own, keyVersions: [version, 1] }, [secrets.encryptionKey])).not.toThrow();
    expect(() => refuseOtherKeys({ ...own, keyVersions: [] }, ["n".repeat(32)])).not.toThrow();
  });

  test("reports existing data, and replaces only that", async () => {
    const target = await emptyTarget();
    expect(await contentsOf(target, migrationsDirectory)).toBeUndefined();
    await migrate(target, migrationsDirectory, log);
    expect(await contentsOf(target, migrationsDirectory)).toBeUndefined();
    await fillEveryTable(target, 2);
    await target.query("CREATE TABLE neighbours AS SELECT 1 AS id");
    expect(await contentsOf(target, migrationsDirectory)).toEqual({ workspaces: 2, flows: 2, runs: 2 });
    await target.query("CREATE VIEW watched AS SELECT id FROM workspace");
    expect(await problemOf(restored(target))).toMatch(/^BackupError: .* drop it first: view watched depends on table/);
    await target.query("ROLLBACK");
    await target.query("DROP VIEW watched");
    await restored(target);
    expect((await target.query("SELECT id FROM neighbours")).rows).toEqual([{ id: 1 }]);
    expect(await contentsOf(target, migrationsDirectory)).toEqual({ workspaces: 3, flows: 3, runs: 3 });
  });

  test("refuses a database that servers are using", async () => {
    const target = await emptyTarget();
    const { rows } = await target.query("SELECT current_database() AS name");
    const url = new URL(source.url);
    url.pathname = `/${rows[0].name}`;
    url.searchParams.set("application_name", "millrace");
    await clientTo(url.href);
    expect(await problemOf(contentsOf(target, migrationsDirectory))).toMatch(/A running Millrace uses the database/);
  });

  test("that is interrupted leaves the database unchanged, and can be repeated", async () => {
    const target = await emptyTarget();
    await migrate(target, migrationsDirectory, log);
    await fillEveryTable(target, 2);
    const before = await fingerprintOf(target);
    const { rows } = await target.query("SELECT pg_backend_pid() AS pid, current_database() AS name");
    const url = new URL(source.url);
    url.pathname = `/${rows[0].name}`;
    const contents = await checkBackup(file, passphrase);
    const options = { file, contents, migrationsDirectory };
    const doomed = await clientTo(url.href);
    const lost = problemOf(
      restoreInto(doomed, options, () => {
        throw new Error("killed");
      }),
    );
    expect(await lost).toBe("Error: killed");
    await doomed.end();
    expect(await fingerprintOf(target)).toEqual(before);
    // A file that is truncated after it was checked.
    const cut = join(directory, "cut-later");
    copyFileSync(file, cut);
    writeFileSync(cut, readFileSync(cut).subarray(0, -1));
    const other = await clientTo(url.href);
    expect(await problemOf(restoreInto(other, { ...options, file: cut }))).toMatch(/is damaged or truncated/);
    await other.end();
    expect(await fingerprintOf(target)).toEqual(before);
    await restored(target);
    expect(await fingerprintOf(target)).toEqual(await fingerprintOf(await clientTo(source.url)));
  });

  test("of an older backup creates the tables of its version, and then migrates them", async () => {
    const older = mkdtempSync(join(tmpdir(), "older-"));
    const names = readdirSync(migrationsDirectory).filter((name) =>
      existsSync(join(migrationsDirectory, name, "migration.sql")),
    );
    for (const name of names.sort().slice(0, 4)) {
      cpSync(join(migrationsDirectory, name), join(older, name), { recursive: true });
    }
    const database = await createTestDatabase({ empty: true });
    opened.databases.push(database);
    const client = await clientTo(database.url);
    await migrate(client, older, log);
    await fillEveryTable(client, 2);
    const made = await backedUp(database.url, "older");
    const target = await emptyTarget();
    await restored(target, made);
    expect(await fingerprintOf(target)).toEqual(await fingerprintOf(client));
    expect(await migrate(target, migrationsDirectory, log)).toBe(names.length - 4);
    expect((await target.query("SELECT count(*)::int AS count FROM workspace")).rows).toEqual([{ count: 2 }]);
  });
});

describe("files that are not in the database", () => {
  const bytes = Buffer.alloc(600_000, "file");

  /** A database with two such files, one of which is gone when the backup reads it. */
  async function withFiles(): Promise<TestDatabase> {
    const database = await createTestDatabase();
    opened.databases.push(database);
    const client = await clientTo(database.url);
    await client.query(`
      INSERT INTO workspace (id, name, tier, created_at) VALUES ('ws_1', 'Test', 'free', now());
      INSERT INTO file_usage VALUES ('ws_1', 600007);
      INSERT INTO file (id, workspace_id, name, content_type, state, place, charged, size, sha256) VALUES
        ('file_kept', 'ws_1', 'a', 'text/plain', 'stored', 'disk', 600000, 600000, 'abc'),
        ('file_gone', 'ws_1', 'b', 'text/plain', 'stored', 'disk', 7, 7, 'def')`);
    return database;
  }

  test("are included, and stored where the target keeps its files; a missing one is left out", async () => {
    const database = await withFiles();
    const made = join(directory, "files.backup");
    const readFile = async (id: string) => {
      if (id === "file_gone") throw new Error("deleted meanwhile");
      return (async function* () {
        yield bytes.subarray(0, 400_000);
        yield bytes.subarray(400_000);
      })();
    };
    const from = { client: await connect(database.url), secrets, version: "1.2.3", migrationsDirectory, readFile };
    await writeBackup(from, { file: made, passphrase, log });
    await from.client.end();
    expect(lines).toContain("Left out the file file_gone: deleted meanwhile");
    const target = await emptyTarget();
    const backups = new Map<string, Buffer>();
    await restoreInto(target, {
      file: made,
      contents: await checkBackup(made, passphrase),
      migrationsDirectory,
      keepFile: async ({ id }, parts) => {
        const all: Buffer[] = [];
        for await (const part of parts) all.push(part);
        backups.set(id, Buffer.concat(all));
        return "bucket";
      },
    });
    expect(backups.get("file_kept")?.equals(bytes)).toBe(true);
    const { rows } = await target.query("SELECT id, place, charged::int FROM file");
    expect(rows).toEqual([{ id: "file_kept", place: "bucket", charged: 600_000 }]);
    expect((await target.query("SELECT bytes::int FROM file_usage")).rows).toEqual([{ bytes: 600_000 }]);
  });
});
