import type { Socket } from "node:net";
import type { Deadline } from "../deadline.ts";

/** A database that speaks a protocol of its own. */
export interface SqlServer {
  readonly kind: "postgres" | "mysql" | "mssql";
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
  /** `tls` checks who answers, `unverified` only encrypts, `none` does neither. */
  readonly security: "tls" | "unverified" | "none";
  /** Certificates of authorities, as PEM, in place of those that are known everywhere. */
  readonly ca?: string | undefined;
}

/** A database in a file of a workspace. */
export interface SqliteFile {
  readonly kind: "sqlite";
  /** The workspace's own folder, which is made if it is missing; the file's path is below it. */
  readonly folder: string;
  readonly file: string;
  /** `read` opens it for reading only, `create` makes it if it is missing. */
  readonly access: "read" | "write" | "create";
  /** All databases in the folder together. */
  readonly bytesMax: number;
}

export type SqlValue = string | number | boolean | null;

/** One statement. Its values are never part of its text. */
export interface SqlStatement {
  /** With `$1`, `$2`, … for PostgreSQL, `@p1`, `@p2`, … for SQL Server, and `?` for others. */
  readonly text: string;
  readonly values: readonly SqlValue[];
  readonly rowsMax: number;
  /** Of the answer as it comes. */
  readonly bytesMax: number;
}

export interface SqlLimits {
  /** Milliseconds for all of it, connecting included. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface SqlAnswer {
  /** By column: nothing but what JSON knows, and `JsonCell`. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Of what gives no rows, how many it changed. */
  readonly rowCount: number;
  /** The first number that the database gave to a new row (MySQL, SQLite). */
  readonly insertId?: number | string;
}

export type SqlRefusal = "SQL_FAILED" | "SQL_SIGN_IN" | "SQL_FILE" | "SQL_TOO_MANY_ROWS" | "SQL_TOO_LARGE";

/** The database refused the sign-in or the statement, or gave more than may be. `state` is its own code. */
export class SqlRefused extends Error {
  readonly code: SqlRefusal;
  readonly state: string | null;

  constructor(code: SqlRefusal, message: string, state: string | null = null) {
    super(message);
    this.name = "SqlRefused";
    this.code = code;
    this.state = state;
  }
}

/** A connection that a driver has signed in. */
export interface SqlConnection {
  run(statement: SqlStatement, rows: RowCollector): Promise<Omit<SqlAnswer, "rows">>;
  /** Has the server stop what it is at. Never rejects. */
  cancel(): Promise<void>;
  /** Forgets what statements have left behind: transactions, settings, temporary tables. */
  reset(): Promise<void>;
  close(): void;
  /** Called once it is no longer needed. */
  onEnd(listener: () => void): void;
}

/** A cell that holds JSON, unread: it may be large, and whoever reads it does so in turns. */
export class JsonCell {
  /** Other bundles have copies of the class: they know it by this. */
  readonly isJsonCell = true;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type OpenSocket = (deadline: Deadline) => Promise<Socket>;

/** More has come of an answer than may be, or would be stored of it. */
export function tooLarge(bytesMax: number): SqlRefused {
  return new SqlRefused("SQL_TOO_LARGE", `The answer is larger than ${Math.round(bytesMax / 1_048_576)} MiB`);
}

/** Collects rows up to a limit. */
export class RowCollector {
  readonly rows: Record<string, unknown>[] = [];
  readonly #rowsMax: number;
  readonly #limit: number;

  /** `limit`: what the refusal names, where others have collected rows before. */
  constructor(rowsMax: number, limit = rowsMax) {
    this.#rowsMax = rowsMax;
    this.#limit = limit;
  }

  /** Throws SqlRefused. */
  add(row: Readonly<Record<string, unknown>>): void {
    if (this.rows.length >= this.#rowsMax) {
      throw new SqlRefused(
        "SQL_TOO_MANY_ROWS",
        `The query gives more than ${this.#limit} rows: limit it, or set rowsMax`,
      );
    }
    this.rows.push(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
  }
}

/** A value as JSON knows it: times as ISO 8601, bytes as base64, and numbers that a double does not hold as text. */
function plain(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof JsonCell) return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
