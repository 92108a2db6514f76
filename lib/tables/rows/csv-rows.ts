import { recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { rowsAtOnceMax } from "#lib/contract/tables/rows.ts";
import { rowFields } from "#lib/contract/tables/tables.ts";
import { textDepth } from "#lib/engine/json.ts";
import { query, type RunStatement } from "#lib/platform/database.ts";
import { mapInTurns } from "#lib/platform/turns.ts";
import { WrongValue } from "#lib/tables/cells.ts";
import { CsvError, type CsvRecord, csvLine, readCsv } from "#lib/tables/csv.ts";
import { type Column, columnNamed, findTable, inTableTransaction, invalid, type Table } from "#lib/tables/table.ts";
import { applyChanges } from "./apply-changes.ts";
import { findRows } from "./find-rows.ts";
import { rowBytesMax, showRow, writtenCells } from "./stored-row.ts";
import { addGrowth, type Growth } from "./table-growth.ts";
import { upsertWithin } from "./upsert.ts";

/** The result of an import. */
interface Imported {
  inserted: number;
  updated: number;
}

/**
 * Inserts the rows of a CSV text or, with `key`, updates those that exist by that unique column: all in one
 * transaction, in batches. Throws NOT_FOUND, CONFLICT, VALIDATION_ERROR with the line at fault.
 */
export async function importRows(
  actor: Actor,
  tableId: string,
  csv: string,
  key: string | undefined,
): Promise<Imported> {
  const { workspaceId, once } = actor;
  if (once?.made) return once.made as Imported;
  return await inTableTransaction(async (run) => {
    const table = await findTable(run, workspaceId, tableId, "share");
    const column = key === undefined ? null : columnNamed(table, key, "key");
    const done: Imported = { inserted: 0, updated: 0 };
    const growth: Growth = { rows: 0, bytes: 0 };
    for (const batch of batchesOf(table, csv)) {
      const { inserted, updated } = await writeBatch(run, table, column, batch, growth);
      done.inserted += inserted;
      done.updated += updated;
    }
    await recordWith(run, actor, { action: "table.imported", id: table.id, name: table.name, after: { ...done } });
    await once?.keep(run, done);
    await addGrowth(run, table, growth);
    return done;
  });
}

/** Characters in a batch. As JSON, each takes up to six bytes of memory. */
const batchLengthMax = 262_144;

interface Line {
  readonly line: number;
  readonly values: Readonly<Record<string, unknown>>;
}

async function writeBatch(
  run: RunStatement,
  table: Table,
  key: Column | null,
  batch: readonly Line[],
  growth: Growth,
): Promise<Imported> {
  const pathOf = (index: number) => `line ${batch[index]?.line}`;
  if (key !== null) {
    const values = batch.map((line) => line.values);
    return await upsertWithin(run, table, key, values, pathOf, { growth });
  }
  const changes = await mapInTurns(batch, ({ values }, index) => {
    const path = pathOf(index);
    return { before: null, after: writtenCells(table, values, null, path), path };
  });
  await applyChanges(run, table, changes, { growth });
  return { inserted: changes.length, updated: 0 };
}

function* batchesOf(table: Table, csv: string): Generator<Line[], void, undefined> {
  try {
    const records = readCsv(csv);
    const first = records.next();
    if (first.done) throw invalid({ body: "must begin with a line of column names" });
    const columns = headOf(table, first.value);
    let batch: Line[] = [];
    let length = 0;
    for (const record of records) {
      batch.push(lineOf(columns, record));
      length += record.fields.reduce((sum, field) => sum + (field?.length ?? 0), 0);
      if (batch.length < rowsAtOnceMax && length < batchLengthMax) continue;
      yield batch;
      batch = [];
      length = 0;
    }
    if (batch.length > 0) yield batch;
  } catch (error) {
    if (error instanceof CsvError) throw invalid({ body: error.message });
    throw error;
  }
}

const ownFields: ReadonlySet<string> = new Set(rowFields);

/** The columns in the first line; null for a row's own fields, which exports include. */
function headOf(table: Table, { fields }: CsvRecord): (Column | null)[] {
  if (new Set(fields).size < fields.length) throw invalid({ "line 1": "names a column twice" });
  return fields.map((name) => (ownFields.has(name ?? "") ? null : columnNamed(table, name ?? "", "line 1")));
}

function lineOf(columns: readonly (Column | null)[], { line, fields }: CsvRecord): Line {
  if (fields.length !== columns.length) {
    throw invalid({ [`line ${line}`]: `has ${fields.length} fields; the first line has ${columns.length}` });
  }
  const values = columns.flatMap((column, index) => {
    return column === null ? [] : [[column.name, fieldValue(column, fields[index] ?? null, line)] as const];
  });
  return { line, values: Object.fromEntries(values) };
}

/** The limit for a request's body. */
const jsonLevelsMax = 64;

/** How a decimal number begins. `Number` also reads `0x10`, `0b11` and `0o17`. */
const decimalStart = /^\s*[+-]?(?!0[box])\.?\d/i;

function fieldValue({ name, type }: Column, field: string | null, line: number): unknown {
  if (field === null || type === "text" || type === "time") return field;
  if (type === "boolean") return { true: true, false: false }[field.toLowerCase()] ?? field;
  if (type === "number") return decimalStart.test(field) ? Number(field) : field;
  try {
    if (field.length > rowBytesMax) throw new WrongValue(`must have at most ${rowBytesMax} characters`);
    if (textDepth(field, jsonLevelsMax) > jsonLevelsMax)
      throw new WrongValue(`must not be nested deeper than ${jsonLevelsMax} levels`);
    return JSON.parse(field);
  } catch (cause) {
    const message = cause instanceof WrongValue ? cause.message : "must be JSON";
    throw invalid({ [`line ${line}.${name}`]: message }, cause);
  }
}

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
