// Statements in real SQLite files, from several processes at once, and refusals.
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";
import type { SqliteFile, SqlStatement } from "../sql-server.ts";
import { SqliteFiles } from "./sqlite-files.ts";

/** A workspace's folder and a server that opens databases in it. */
function open(folder = join(temporaryDirectory(), "workspace")) {
  const files = new SqliteFiles();
  onTestFinished(() => files.close());
  const controller = new AbortController();
  const run = (
    text: string,
    values: SqlStatement["values"] = [],
    overrides: Partial<SqlStatement & SqliteFile & { timeoutMs: number }> = {},
  ) => {
    const { file = "shop.db", access = "create", rowsMax = 10_000, timeoutMs = 20_000 } = overrides;
    const { bytesMax = 5_242_880 } = overrides;
    const database: SqliteFile = { kind: "sqlite", folder, file, access, bytesMax: roomBytes };
    return files.query(
      database,
      { text, values, rowsMax, bytesMax },
      { workspaceId: "own", timeoutMs, signal: controller.signal },
    );
  };
  const code = (...given: Parameters<typeof run>) =>
    run(...given).then(
      () => "done",
      (error) => error.code as string,
    );
  return { folder, files, run, code, abort: () => controller.abort() };
}
const roomBytes = 8 * 1_048_576;
const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";

test("values round-trip, and are never part of the text", async () => {
  const { run } = open();
  await run("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, big, bytes, ok, half)");
  const evil = "x'); DROP TABLE person; --";
  const put = await run("INSERT INTO person VALUES (?, ?, 9007199254740993, x'00ff', ?, ? / 2)", [7, evil, true, 3]);
  expect(put).toEqual({ rows: [], rowCount: 1, insertId: 7 });
  const { rows, rowCount } = await run("SELECT *, 1.5 AS real, 9e999 AS inf, NULL AS none FROM person WHERE name = ?", [
    evil,
  ]);
  const row = { id: 7, name: evil, big: "9007199254740993", bytes: "AP8=", ok: 1, half: 1 };
  expect([rows, rowCount]).toEqual([[{ ...row, real: 1.5, inf: "Infinity", none: null }], 1]);
  expect(await run("UPDATE person SET name = NULL RETURNING id")).toMatchObject({ rows: [{ id: 7 }], rowCount: 1 });
  expect((await run("DELETE FROM person")).rowCount).toBe(1);
});

test("full-text search works, and an open transaction leaves nothing", async () => {
  const { run } = open();
  await run("CREATE VIRTUAL TABLE page USING fts5(text)");
  await run("INSERT INTO page VALUES ('hello world')");
  await run("BEGIN IMMEDIATE");
  await run("INSERT INTO page VALUES ('goodbye world')");
  expect((await run("SELECT text FROM page WHERE page MATCH 'hello'")).rows).toEqual([{ text: "hello world" }]);
});

test.each([
  "ATTACH 'other.db' AS other",
  "attach/**/database 'x' AS y",
  "DETACH other",
  "VACUUM",
  "VACUUM INTO 'copy.db'",
  "PRAGMA journal_mode = DELETE",
  "SELECT * FROM pragma_table_info('t')",
  "SELECT load_extension('x')",
  `SELECT "load_extension"('x')`,
  "SELECT 'ATTACH'",
  "/* pragma */ SELECT 1",
  "UPDATE t SET a = 1 WHERE writable_schema",
])("%s is refused before it reaches SQLite", async (text) => {
  const { folder, run } = open();
  await expect(run(text)).rejects.toMatchObject({
    code: "SQL_FAILED",
    message: expect.stringMatching(/not available/),
  });
  expect(existsSync(folder)).toBe(false);
});

test("words that merely contain a forbidden one are allowed, and other refusals are SQLite's own", async () => {
  const { run, code } = open();
  expect((await run("SELECT 'x' AS attachment")).rows).toEqual([{ attachment: "x" }]);
  expect(await code("SELECT nothing FROM nowhere")).toBe("SQL_FAILED");
  expect(await code("SELECT 1; SELECT 2")).toBe("SQL_FAILED");
  expect(await code("SELECT 1; -- the end")).toBe("done");
  expect(await code("-- nothing")).toBe("SQL_FAILED");
  expect(await code("UPDATE sqlite_master SET name = 'x'")).toBe("SQL_FAILED");
  for (const text of ["a\0b", "\ud800"]) expect(await code("SELECT ?", [text])).toBe("SQL_FAILED");
});

test("no path leads out of the workspace's folder", async () => {
  const { folder, code } = open();
  const outside = temporaryDirectory();
  mkdirSync(folder);
  writeFileSync(join(outside, "other.db"), "");
  symlinkSync(join(outside, "other.db"), join(folder, "link.db"));
  symlinkSync(outside, join(folder, "folder"));
  mkdirSync(join(folder, "real"));
  for (const file of [
    ...["../other.db", "a/../../other.db", join(outside, "other.db"), "link.db", "folder/other.db", "folder/new.db"],
    ...["real", "a//b", "a\0b", "", "."],
  ]) {
    expect([file, await code("SELECT 1", [], { file })]).toEqual([file, "SQL_FILE"]);
  }
  expect(readdirSync(outside)).toEqual(["other.db"]);
});

test("a file is created only if configured, and can be opened read-only", async () => {
  const { code } = open();
  expect(await code("SELECT 1", [], { access: "write", file: "a/b.db" })).toBe("SQL_FILE");
  expect(await code("CREATE TABLE t (a)", [], { file: "a/b.db" })).toBe("done");
  expect(await code("INSERT INTO t VALUES (1)", [], { access: "write", file: "a/b.db" })).toBe("done");
  expect(await code("SELECT * FROM t", [], { access: "read", file: "a/b.db" })).toBe("done");
  expect(await code("INSERT INTO t VALUES (1)", [], { access: "read", file: "a/b.db" })).toBe("SQL_FAILED");
});

test("a file that is not a database is reported", async () => {
  const { folder, code } = open();
  mkdirSync(folder);
  writeFileSync(join(folder, "shop.db"), "no database ".repeat(1_000));
  expect(await code("SELECT * FROM sqlite_schema")).toBe("SQL_FILE");
});

describe("limits", () => {
  test("too many rows or bytes fail, and the statement's change is rolled back", async () => {
    const { run, code } = open();
    const numbers = `${endless} SELECT i FROM n LIMIT`;
    expect((await run(`${numbers} 100`, [], { rowsMax: 100 })).rows).toHaveLength(100);
    expect(await code(`${numbers} 101`, [], { rowsMax: 100 })).toBe("SQL_TOO_MANY_ROWS");
    expect(await code(`${endless} SELECT i FROM n`, [], { rowsMax: 100_000 })).toBe("SQL_TOO_MANY_ROWS");
    expect(await code("SELECT printf('%.*c', 6000000, 'x')")).toBe("SQL_TOO_LARGE");
    expect(await code("SELECT zeroblob(900000000)")).toBe("SQL_TOO_LARGE");
    await run("CREATE TABLE t (a)");
    const insert = `${endless} INSERT INTO t SELECT i FROM n LIMIT 50 RETURNING a`;
    expect(await code(insert, [], { rowsMax: 49 })).toBe("SQL_TOO_MANY_ROWS");
    expect((await run("SELECT count(*) AS n FROM t")).rows).toEqual([{ n: 0 }]);
  });

  test("the largest answer does not block the event loop", async () => {
    const { run } = open();
    let count = 0;
    const longest = await longestTurn(async () => {
      const text = `${endless} SELECT i AS n, printf('%.40c', 'x') AS t FROM n LIMIT 60000`;
      count = (await run(text, [], { rowsMax: 100_000 })).rows.length;
    });
    expect(count).toBe(60_000);
    expect(longest).toBeLessThan(100);
  });

  test("a timeout or a cancellation ends an endless statement, and its changes are rolled back", async () => {
    const { run, code } = open();
    await run("CREATE TABLE t (a)");
    expect(await code(`${endless} SELECT count(*) FROM n`, [], { timeoutMs: 1_000 })).toBe("TIMEOUT");
    const insert = `${endless} INSERT INTO t SELECT 1 FROM n WHERE i < 1000`;
    expect(await code(insert, [], { timeoutMs: 1_500 })).toBe("TIMEOUT");
    expect((await run("SELECT count(*) AS n FROM t")).rows).toEqual([{ n: 0 }]);
    const other = open();
    const cancelled = other.code(`${endless} SELECT count(*) FROM n`);
    await eventually("it has begun", () => existsSync(join(other.folder, "shop.db")) || undefined);
    other.abort();
    expect(await cancelled).toBe("ABORTED");
  });

  test("a statement with growing memory is killed", async () => {
    const { code, run } = open();
    const sorting = `${endless} SELECT i, hex(randomblob(20000)) AS t FROM n ORDER BY t LIMIT 1000000000`;
    expect(await code(sorting, [], { timeoutMs: 120_000 })).toBe("SQL_TOO_LARGE");
    expect((await run("SELECT 1 AS n")).rows).toEqual([{ n: 1 }]);
  });

  test("the limit on disk space holds across databases", async () => {
    const { code } = open();
    await code("CREATE TABLE t (a)");
    const fill = `${endless} INSERT INTO t SELECT randomblob(1000) FROM n`;
    expect(await code(fill)).toBe("SQL_FAILED");
    const half = `${endless} INSERT INTO t SELECT randomblob(1000) FROM n LIMIT 5000`;
    expect(await code(half)).toBe("done");
    await code("CREATE TABLE t (a)", [], { file: "second.db" });
    expect(await code(half, [], { file: "second.db" })).toBe("SQL_FAILED");
  });
});

test("two servers can write concurrently", async () => {
  const pool = open();
  const two = open(pool.folder);
  await pool.run("CREATE TABLE t (a)");
  const codes = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? pool : two).code("INSERT INTO t VALUES (?)", [index])),
  );
  expect(new Set(codes)).toEqual(new Set(["done"]));
  expect((await two.run("SELECT count(*) AS n FROM t")).rows).toEqual([{ n: 40 }]);
});

test("a database locked by another process is reported", async () => {
  const pool = open();
  const two = open(pool.folder);
  await pool.run("CREATE TABLE t (a)");
  const holding = pool.code(`${endless} INSERT INTO t SELECT 1 FROM n WHERE i < 2`, [], { timeoutMs: 120_000 });
  await eventually("it is locked", async () => {
    const failed = await two.run("INSERT INTO t VALUES (2)", [], { timeoutMs: 4_000 }).catch((error) => error);
    return (failed.code === "SQL_FAILED" && /locked/.test(failed.message)) || undefined;
  });
  pool.abort();
  expect(await holding).toBe("ABORTED");
  expect(await two.code("INSERT INTO t VALUES (2)")).toBe("done");
});
