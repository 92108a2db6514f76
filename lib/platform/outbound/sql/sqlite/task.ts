import type { SqliteFile, SqlRefusal, SqlStatement } from "../sql-server.ts";

/** What the process of a database is told to do. */
export interface SqliteTask {
  readonly database: SqliteFile;
  readonly statement: SqlStatement;
  /** How long it waits for another's lock. */
  readonly busyMs: number;
}

/** What it answers: rows, some at a time, and then the end. */
export type SqliteMessage =
  | { readonly rows: readonly Readonly<Record<string, unknown>>[] }
  | { readonly done: { readonly rowCount: number; readonly insertId?: number | string } }
  | { readonly failure: { readonly code: SqlRefusal; readonly message: string } };
