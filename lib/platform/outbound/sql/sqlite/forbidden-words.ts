import { SqlRefused } from "../sql-server.ts";

/** Statements and functions that open other files, run foreign code, or change how a database is written. */
const words = /(?<![\w$])(?:attach|detach|vacuum|pragma\w*|load_extension|writable_schema)(?![\w$])/i;

/**
 * Refuses a query that has one of the words anywhere, in strings and comments too: no reading of ours decides what SQLite
 * takes for text. Values are not looked at. Throws SqlRefused.
 */
export function refuseForbiddenWords(query: string): void {
  const found = words.exec(query)?.[0];
  if (found !== undefined) {
    throw new SqlRefused(
      "SQL_FAILED",
      `${found.toUpperCase()} is not available for SQLite, not even in text: give such text as a value`,
    );
  }
}
