// The process for SQLite databases. It runs one statement after the other; as a statement cannot be interrupted, the
// process is killed when the time is up. On disk, it can access only one workspace's folder.
import { constants, DatabaseSync, type StatementSync } from "node:sqlite";
import { RowCollector, SqlRefused, type SqlStatement, type SqlValue } from "../sql-server.ts";
import { placeOf } from "./place.ts";
import type { SqliteMessage, SqliteTask } from "./task.ts";

/** Rows are sent in chunks, so that none blocks the reader for long. */
const partBytes = 65_536;
/** Pragmas that SQLite's full-text search and other modules use internally. */
const harmlessPragmas = new Set(["data_version", "page_size"]);
/** SQLite's codes for a file that is not a database or cannot be opened. */
const fileCodes = new Set([8, 11, 14, 26]);
/**
 * Databases left open after a statement was abandoned: closing would commit its changes so far. The process is killed
 * instead.
 */
const unfinished: DatabaseSync[] = [];

process.on("disconnect", () => process.exit());
process.on("message", (task: SqliteTask) => {
  try {
    send({ done: perform(task) });
  } catch (error) {
    send({ failure: failureOf(error) });
  }
});

function send(message: SqliteMessage): void {
  process.send?.(message);
}

function perform({ database: file, statement, busyMs }: SqliteTask) {
  for (const text of [statement.text, ...statement.values]) {
    if (typeof text === "string" && (text.includes("\0") || !text.isWellFormed())) {
      throw new SqlRefused("SQL_FAILED", "SQLite's text cannot hold U+0000 and unpaired surrogates");
    }
  }
  const { path, bytesLeft } = placeOf(file);
  const database = new DatabaseSync(path, {
    readOnly: file.access === "read",
    timeout: busyMs,
    allowExtension: false,
    enableDoubleQuotedStringLiterals: false,
    limits: { length: cellBytes(statement.bytesMax) },
  });
  let isAborted = false;
  try {
    prepare(database, bytesLeft, file.access === "read");
    return run(database, statement);
  } catch (error) {
    isAborted = /^SQL_TOO/.test(failureOf(error).code);
    if (isAborted) unfinished.push(database);
    throw error;
  } finally {
    if (!isAborted) database.close();
  }
}

/** The limit for one value or row: slightly more than for an answer. */
function cellBytes(bytesMax: number): number {
  return Math.min(4 * Math.max(bytesMax, 1_048_576), 1_000_000_000);
}

function prepare(database: DatabaseSync, bytesLeft: number, isReadOnly: boolean): void {
  // Keeps temporary tables and sorts in memory, which is watched.
  database.exec("PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
  if (!isReadOnly) {
    try {
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    } catch (error) {
      // Another process is just doing it.
      if (codeOf(error) !== 5) throw error;
    }
    const size = Number(database.prepare("PRAGMA page_size").get()?.page_size ?? 4_096);
    database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(bytesLeft / size))}`);
  }
  database.enableDefensive(true);
  database.setAuthorizer((action, first) => {
    const { SQLITE_ATTACH, SQLITE_DETACH, SQLITE_PRAGMA, SQLITE_DENY, SQLITE_OK } = constants;
    if (action === SQLITE_ATTACH || action === SQLITE_DETACH) return SQLITE_DENY;
    return action === SQLITE_PRAGMA && !harmlessPragmas.has(first ?? "") ? SQLITE_DENY : SQLITE_OK;
  });
}

function run(database: DatabaseSync, { text, values, rowsMax, bytesMax }: SqlStatement) {
  const statement = database.prepare(text);
  const rest = text.slice(statement.sourceSQL.length).replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, "");
  if (/[^\s;]/.test(rest)) throw new SqlRefused("SQL_FAILED", "There is more than one statement");
  statement.setReadBigInts(true);
  const bound = values.map(boundValue);
  if (statement.columns().length > 0) return { rowCount: sendRows(statement, bound, rowsMax, bytesMax) };
  const { changes, lastInsertRowid } = statement.run(...bound);
  const id = Number(lastInsertRowid);
  const insertId = Number.isSafeInteger(id) ? id : String(lastInsertRowid);
  return { rowCount: Number(changes), ...(id === 0 ? {} : { insertId }) };
}

function sendRows(statement: StatementSync, bound: BoundValue[], rowsMax: number, bytesMax: number): number {
  // Not for-of: leaving it early ends the statement and commits its changes so far.
  const found = statement.iterate(...bound);
  const size = Math.round(bytesMax / 1_048_576);
  let part = new RowCollector(rowsMax);
  let [count, bytes, sentBytes] = [0, 0, 0];
  for (let next = found.next(); next.done !== true; next = found.next()) {
    if (count >= rowsMax) part = new RowCollector(0, rowsMax);
    part.add(next.value);
    count += 1;
    bytes += Buffer.byteLength(JSON.stringify(part.rows.at(-1)));
    if (bytes > bytesMax) throw new SqlRefused("SQL_TOO_LARGE", `The answer is larger than ${size} MiB`);
    if (bytes - sentBytes < partBytes) continue;
    send({ rows: part.rows });
    part = new RowCollector(rowsMax);
    sentBytes = bytes;
  }
  if (part.rows.length > 0) send({ rows: part.rows });
  return count;
}

type BoundValue = string | number | bigint | null;

/** Binds integers as integers, so that `:n / 2` is an integer division. */
function boundValue(value: SqlValue): BoundValue {
  if (typeof value === "boolean") return value ? 1n : 0n;
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}

function codeOf(error: unknown): number {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & 255 : 0;
}

function failureOf(error: unknown): Extract<SqliteMessage, { failure: unknown }>["failure"] {
  if (error instanceof SqlRefused) return { code: error.code, message: error.message };
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === 13) return { code: "SQL_FAILED", message: "The workspace's databases have no room left" };
  if (code === 18) return { code: "SQL_TOO_LARGE", message: "A value is larger than an answer may be" };
  const isOfFile = fileCodes.has(code) && !/readonly/.test(message);
  return { code: isOfFile ? "SQL_FILE" : "SQL_FAILED", message: message.slice(0, 2_000) };
}
