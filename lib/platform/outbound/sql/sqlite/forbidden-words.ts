import { SqlRefused } from "../sql-server.ts";

/** Statements and functions that open other files, run foreign code, or change how a database is written. */
const forbidden = /(?<![\w$])(?:attach|detach|vacuum|pragma\w*|load_extension|writable_schema)(?![\w$])/i;

/**
 * Refuses a query that contains one of the words anywhere, even in strings and comments: safer than a parser that may
 * disagree with SQLite's. Values are not checked. Throws SqlRefused.
 */
export function refuseForbiddenWords(query: string): void {
  const found = forbidden.exec(query)?.[0];
  if (found !== undefined) {
    throw new SqlRefused(
      "SQL_FAILED",
      `${found.toUpperCase()} is not available for SQLite, not even in text: give such text as a value`,
    );
  }
}
