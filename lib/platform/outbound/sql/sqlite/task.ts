import type { SqliteFile, SqlRefusal, SqlStatement } from "../sql-server.ts";

/** A task for a database process. */
export interface SqliteTask {
  readonly database: SqliteFile;
  readonly statement: SqlStatement;
  /** How long to wait for another process's lock, in milliseconds. */
  readonly busyMs: number;
}

/** Its messages: rows in chunks, then the end. */
export type SqliteMessage =
  | { readonly rows: readonly Readonly<Record<string, unknown>>[] }
  | { readonly done: { readonly rowCount: number; readonly insertId?: number | string } }
  | { readonly failure: { readonly code: SqlRefusal; readonly message: string } };
