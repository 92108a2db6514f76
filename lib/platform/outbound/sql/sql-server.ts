import type { Socket } from "node:net";
import type { Deadline } from "../deadline.ts";

/** A database server with its own protocol. */
export interface SqlServer {
  readonly kind: "postgres" | "mysql" | "mssql";
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
  /** `tls` verifies the server, `unverified` only encrypts, `none` does neither. */
  readonly security: "tls" | "unverified" | "none";
  /** PEM certificates of authorities to trust instead of the well-known ones. */
  readonly ca?: string | undefined;
}

/** A workspace's SQLite database. */
export interface SqliteFile {
  readonly kind: "sqlite";
  /** The workspace's folder, created if missing. The file's path is relative to it. */
  readonly folder: string;
  readonly file: string;
  /** `read` opens it read-only; `create` creates it if missing. */
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
  /** Bytes of the answer as received. */
  readonly bytesMax: number;
}

export interface SqlLimits {
  /** Whose share of the connections the statement uses. */
  readonly workspaceId: string;
  /** Milliseconds in total, including connecting. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface SqlAnswer {
  /** By column: only JSON values and `JsonCell`. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The number of changed rows for a statement without result rows. */
  readonly rowCount: number;
  /** The first generated id (MySQL, SQLite). */
  readonly insertId?: number | string;
}

export type SqlRefusal = "SQL_FAILED" | "SQL_SIGN_IN" | "SQL_FILE" | "SQL_TOO_MANY_ROWS" | "SQL_TOO_LARGE";

/** The database refused the sign-in or the statement, or exceeded a limit. `state`: the database's own code. */
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

/** A signed-in connection. */
export interface SqlConnection {
  run(statement: SqlStatement, rows: RowCollector): Promise<Omit<SqlAnswer, "rows">>;
  /** Asks the server to stop its current statement. Never rejects. */
  cancel(): Promise<void>;
  /** Clears the session: transactions, settings, temporary tables. */
  reset(): Promise<void>;
  close(): void;
  /** Called once it is no longer needed. */
  onEnd(listener: () => void): void;
}

/** A cell with unparsed JSON: it may be large, and is parsed in turns. */
export class JsonCell {
  /** Identifies the class, of which other bundles have copies. */
  readonly isJsonCell = true;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type OpenSocket = (deadline: Deadline) => Promise<Socket>;

/** The failure for an answer that is too large. */
export function tooLarge(bytesMax: number): SqlRefused {
  return new SqlRefused("SQL_TOO_LARGE", `The answer is larger than ${Math.round(bytesMax / 1_048_576)} MiB`);
}

/** Collects rows up to a limit. */
export class RowCollector {
  readonly rows: Record<string, unknown>[] = [];
  readonly #rowsMax: number;
  readonly #limit: number;

  /** `limit`: the limit that the refusal names, if others have already collected rows. */
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

/** A value as JSON: times as ISO 8601, bytes as base64, and numbers too precise for a double as text. */
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
