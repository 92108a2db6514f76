import type { Actor } from "#lib/auth/actor.ts";
import { rowFields } from "#lib/contract/tables/tables.ts";
import { query } from "#lib/platform/database.ts";
import { mapInTurns } from "#lib/platform/turns.ts";
import { csvLine } from "#lib/tables/csv.ts";
import { findTable, type Table } from "#lib/tables/table.ts";
import { findRows } from "./find-rows.ts";
import { showRow } from "./stored-row.ts";

const pageRows = 1_000;

/** Streams a table as CSV, page by page. Throws NOT_FOUND before anything is sent. */
export async function exportRows({ workspaceId }: Actor, tableId: string) {
  const table = await findTable(query, workspaceId, tableId);
  return { chunks: csvOf(table), name: table.name };
}

async function* csvOf(table: Table): AsyncGenerator<string, void, undefined> {
  const names = [...rowFields, ...table.columns.map(({ name }) => name)];
  yield csvLine(names);
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await findRows(table, { limit: pageRows, ...(cursor && { cursor }) });
    const lines = await mapInTurns(rows, (row) => {
      const shown = showRow(table, row);
      return csvLine(names.map((name) => textOf(table, name, shown[name])));
    });
    yield lines.join("");
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

function textOf({ columns }: Table, name: string, value: unknown): string | null {
  if (value === null) return null;
  const isJson = columns.find((column) => column.name === name)?.type === "json";
  return isJson ? JSON.stringify(value) : String(value);
}
