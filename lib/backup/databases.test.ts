// A backup includes workspaces' SQLite files as consistent snapshots, and a restore replaces existing ones.
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";
import { createTestDatabase } from "#e2e/support/test-database.ts";
import { connect } from "#lib/platform/database/connect.ts";
import { framesOfDatabases, RestoredDatabases } from "./databases.ts";
import type { BackedUpDatabase, DatabaseEnd } from "./frames.ts";
import { checkBackup, restoreInto } from "./restore-backup.ts";
import { sealedWith } from "./testing/every-table.ts";
import { writeBackup } from "./write-backup.ts";

const migrationsDirectory = join(import.meta.dirname, "../../prisma/migrations");
const passphrase = "correct horse battery";
const secrets = { authSecret: "a".repeat(32), encryptionKey: sealedWith };

/** A database in WAL mode, whose last rows are only in its log while it is open. */
function open(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE IF NOT EXISTS t (a)");
  return database;
}

function rowsOf(path: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database
      .prepare("SELECT a FROM t ORDER BY rowid")
      .all()
      .map(({ a }) => a);
  } finally {
    database.close();
  }
}

async function databaseClient(empty = false) {
  const database = await createTestDatabase({ empty });
  const client = await connect(database.url);
  onTestFinished(async () => {
    await client.end();
    await database.drop();
  });
  return client;
}

async function backedUp(folder: string, log: (line: string) => void = () => {}): Promise<string> {
  const file = join(temporaryDirectory(), "made.backup");
  const client = await databaseClient();
  const source = { client, secrets, version: "1.2.3", migrationsDirectory, databaseFolder: folder };
  await writeBackup(source, { file, passphrase, log });
  return file;
}

async function restored(file: string, folder: string, beforeCommit?: () => void): Promise<void> {
  const contents = await checkBackup(file, passphrase);
  const work = { file, contents, migrationsDirectory, databaseFolder: folder };
  await restoreInto(await databaseClient(true), work, beforeCommit);
}

test("they are restored with rows that are only in their logs, over existing files", async () => {
  const folder = join(temporaryDirectory(), "databases");
  const shop = open(join(folder, "ws_1", "shop.db"));
  shop.exec("INSERT INTO t VALUES ('in the log')");
  open(join(folder, "ws_1", "reports", "2026.db")).exec("INSERT INTO t VALUES (2026)");
  open(join(folder, "ws_2", "x-wal")).exec("INSERT INTO t VALUES ('by an odd name')");
  const file = await backedUp(folder);
  expect(readdirSync(join(folder, "ws_1")).filter((name) => name.includes("backup"))).toEqual([]);
  shop.exec("INSERT INTO t VALUES ('later')");

  const target = join(temporaryDirectory(), "databases");
  open(join(target, "ws_1", "old.db")).close();
  open(join(target, "ws_3", "kept.db")).close();
  await restored(file, target);
  expect(rowsOf(join(target, "ws_1", "shop.db"))).toEqual(["in the log"]);
  expect(rowsOf(join(target, "ws_1", "reports", "2026.db"))).toEqual([2026]);
  expect(rowsOf(join(target, "ws_2", "x-wal"))).toEqual(["by an odd name"]);
  expect(existsSync(join(target, "ws_1", "old.db"))).toBe(false);
  expect([existsSync(join(target, "ws_3", "kept.db")), existsSync(`${target}.restored`)]).toEqual([true, false]);
});

test("what a killed backup has left is no database, and is gone after the next backup an hour later", async () => {
  const parent = temporaryDirectory();
  const folder = join(parent, "databases");
  open(join(folder, "ws_1", "shop.db"));
  const found: string[] = [];
  let [left = ""]: string[] = [];
  for await (const frame of framesOfDatabases(folder, () => {})) {
    if (frame.kind !== "data" || left !== "") continue;
    // As if it were killed now: a copy of its scratch folder stays.
    left = `${readdirSync(parent).find((name) => name !== "databases")}9`;
    open(join(parent, left, "copy")).close();
    expect(readdirSync(join(folder, "ws_1")).filter((name) => !name.startsWith("shop.db-"))).toEqual(["shop.db"]);
  }
  for await (const frame of framesOfDatabases(folder, () => {}))
    if (frame.kind === "database") found.push(frame.content.path);
  expect([found, readdirSync(parent).toSorted()]).toEqual([["shop.db"], ["databases", left]]);
  const before = new Date(Date.now() - 3_700_000);
  for (const path of [join(parent, left, "copy"), join(parent, left)]) utimesSync(path, before, before);
  for await (const frame of framesOfDatabases(folder, () => {})) expect(frame.kind).not.toBe("table");
  expect(readdirSync(parent)).toEqual(["databases"]);
});

test("a concurrent transaction is included completely or not at all", async () => {
  const folder = join(temporaryDirectory(), "databases");
  const path = join(folder, "ws_1", "shop.db");
  const writer = open(path);
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000)";
  writer.exec(`${numbers} INSERT INTO t SELECT zeroblob(1000) FROM n`);
  let isDone = false;
  let pairs = 0;
  const writing = (async () => {
    while (!isDone) {
      writer.exec("BEGIN; INSERT INTO t VALUES ('one'); INSERT INTO t VALUES ('two'); COMMIT");
      pairs += 1;
      await new Promise(setImmediate);
    }
  })();
  const file = await backedUp(folder);
  isDone = true;
  await writing;
  const target = join(temporaryDirectory(), "databases");
  await restored(file, target);
  const rows = rowsOf(join(target, "ws_1", "shop.db"));
  expect(pairs).toBeGreaterThan(0);
  expect(rows.filter((a) => a === "one").length).toBe(rows.filter((a) => a === "two").length);
});

test("files that are not databases are left out and reported; links are not followed", async () => {
  const folder = join(temporaryDirectory(), "databases");
  open(join(folder, "ws_1", "good.db")).close();
  writeFileSync(join(folder, "ws_1", "bad.db"), "no database ".repeat(1_000));
  writeFileSync(join(folder, "ws_1", "empty.db"), "");
  symlinkSync("/etc/passwd", join(folder, "ws_1", "link.db"));
  symlinkSync("/etc", join(folder, "ws_1", "folder"));
  const lines: string[] = [];
  const target = join(temporaryDirectory(), "databases");
  await restored(await backedUp(folder, (line) => lines.push(line)), target);
  expect(lines).toEqual([expect.stringMatching(/^Left out the database bad.db of ws_1: file is not a database/)]);
  expect(readdirSync(join(target, "ws_1")).toSorted()).toEqual(["empty.db", "good.db"]);
  for await (const frame of framesOfDatabases(join(folder, "nowhere"), () => {})) expect(frame).toBeUndefined();
});

test("an interrupted restore leaves the databases unchanged", async () => {
  const folder = join(temporaryDirectory(), "databases");
  open(join(folder, "ws_1", "shop.db")).exec("INSERT INTO t VALUES ('of the backup')");
  const file = await backedUp(folder);
  const target = join(temporaryDirectory(), "databases");
  const there = open(join(target, "ws_1", "shop.db"));
  there.exec("INSERT INTO t VALUES ('of before')");
  there.close();
  const cut = restored(file, target, () => {
    throw new Error("killed");
  });
  await expect(cut).rejects.toThrow("killed");
  expect(rowsOf(join(target, "ws_1", "shop.db"))).toEqual(["of before"]);
  await restored(file, target);
  expect(rowsOf(join(target, "ws_1", "shop.db"))).toEqual(["of the backup"]);
});

test("a changed database, or one outside of the folder, is refused", async () => {
  const target = join(temporaryDirectory(), "databases");
  const keep = (database: BackedUpDatabase, end: DatabaseEnd) => {
    const bytes = (async function* () {
      yield Buffer.from("bytes");
    })();
    return new RestoredDatabases(target).keep(database, bytes, () => end);
  };
  const end = { size: 5, sha256: "0", isWhole: true };
  await expect(keep({ workspaceId: "ws_1", path: "a.db" }, end)).rejects.toThrow("is damaged");
  for (const path of ["../a.db", "a/../../../b", "", "a//b", "a\\b"]) {
    await expect(keep({ workspaceId: "ws_1", path }, end)).rejects.toThrow("invalid name");
  }
  await expect(keep({ workspaceId: "..", path: "a" }, end)).rejects.toThrow("invalid name");
});
