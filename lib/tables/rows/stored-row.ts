import { rowFields } from "#lib/contract/tables/tables.ts";
import { AppError } from "#lib/errors.ts";
import { iso } from "#lib/platform/clock.ts";
import type { RunStatement } from "#lib/platform/database.ts";
import { textArray } from "#lib/platform/rows-parameter.ts";
import { type Cell, type Cells, readCell, storedCell, WrongValue } from "#lib/tables/cells.ts";
import { type Column, invalid, type Table } from "#lib/tables/table.ts";

export interface StoredRow extends Record<string, unknown> {
  readonly id: string;
  readonly version: number;
  readonly cells: Cells;
  readonly bytes: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export type ShownRow = Record<string, unknown> & {
  id: string;
  version: number;
  createdAt: string;
  updatedAt: string;
};

/** A row as the API shows it: its own fields, and a field for each column, null if it has no value. */
export function showRow({ columns }: Table, row: StoredRow): ShownRow {
  const { id, version, cells } = row;
  const own = { id, version, createdAt: iso(row.created_at), updatedAt: iso(row.updated_at) };
  return Object.assign(
    own,
    Object.fromEntries(columns.map((column) => [column.name, readCell(column.type, cells[column.id])])),
  );
}

/** `{"id":"…","version":1,"createdAt":"…","updatedAt":"…"}`. */
const ownBytes = 150;

/** The bytes of a shown row apart from its values: its own fields, the column names, and null for each value. */
export function overheadBytes({ columns }: Table): number {
  const nothing = ":null,".length;
  return columns.reduce((sum, { name }) => sum + Buffer.byteLength(JSON.stringify(name)) + nothing, ownBytes);
}

export const rowBytesMax = 65_536;
/** Bytes of all rows that one write reads or writes: they are in memory together. */
export const writeBytesMax = 2_097_152;
/** PostgreSQL's own limit is 2,704 bytes for all parts of an index entry. */
const indexedBytesMax = 1_000;

const ownFields: ReadonlySet<string> = new Set(rowFields);

/**
 * Merges new values into `before`; a row's own fields, such as `id`, are ignored. `path`: that of the values in the
 * request. Throws VALIDATION_ERROR with every problem.
 */
export function writtenCells(
  table: Table,
  values: Readonly<Record<string, unknown>>,
  before: Cells | null,
  path = "",
): { cells: Cells; bytes: number } {
  // Not a plain object: a client may send a column named `__proto__`.
  const details: Record<string, string> = Object.create(null);
  const cells: Record<string, Cell> = {};
  const given = new Map(Object.entries(values).filter(([name]) => !ownFields.has(name)));
  for (const column of table.columns) {
    const { id, name, required } = column;
    const cell = given.has(name) ? checkedCell(column, given.get(name), details, path) : (before?.[id] ?? null);
    given.delete(name);
    if (cell !== null) cells[id] = cell;
    else if (required) details[at(path, name)] ??= "is required";
  }
  for (const name of given.keys()) details[at(path, name)] = "there is no such column";
  if (Object.keys(details).length > 0) throw invalid(firstDetails(details));
  const bytes = Buffer.byteLength(JSON.stringify(cells));
  if (bytes > rowBytesMax) throw invalid({ [path || "row"]: `must take at most ${rowBytesMax} bytes, not ${bytes}` });
  return { cells, bytes };
}

function checkedCell({ name, type, indexed }: Column, value: unknown, details: Record<string, string>, path: string) {
  try {
    const cell = storedCell(type, value);
    if (indexed && typeof cell === "string" && Buffer.byteLength(cell) > indexedBytesMax) {
      throw new WrongValue(`must have at most ${indexedBytesMax} bytes, because the column is indexed`);
    }
    return cell;
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error;
    details[at(path, name)] = error.message;
    return null;
  }
}

/** The path of a column's value in a request. */
export function at(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

const detailsMax = 100;

function firstDetails(details: Readonly<Record<string, string>>): Record<string, string> {
  const few = Object.entries(details).slice(0, detailsMax);
  return Object.fromEntries(few.map(([name, message]) => [name.toWellFormed().slice(0, 200), message]));
}

/** Throws VALIDATION_ERROR for `field` if the rows together take too many bytes for one write. */
export function requireFewBytes(rows: readonly { readonly bytes: number }[], field: string): void {
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  if (bytes <= writeBytesMax) return;
  throw invalid({ [field]: `take ${bytes} bytes: one write may have ${writeBytesMax}; write fewer rows at once` });
}

/** Throws CONFLICT if the row has changed since it was read. */
export function requireVersion(row: StoredRow, version: number | undefined): void {
  if (version === undefined || version === row.version) return;
  throw new AppError("CONFLICT", `The row is at version ${row.version}, not the one that was changed`, {
    details: { currentVersion: row.version },
  });
}

/** Throws CONFLICT if `If-Match` names another version of the row. */
export function requireMatch(row: StoredRow, ifMatch: string | null): void {
  if (ifMatch === null) return;
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  if (!tags.includes("*") && !tags.includes(`"${row.version}"`)) requireVersion(row, -1);
}

const selectRows = `
  SELECT id, version, cells, bytes, created_at, updated_at FROM table_row
  WHERE table_id = $1 AND id = ANY($2::text[]) ORDER BY id`;
const lockIds = "SELECT id, bytes FROM table_row WHERE table_id = $1 AND id = ANY($2::text[]) ORDER BY id FOR UPDATE";

/** A locked row with its size. */
export interface LockedRow extends Record<string, unknown> {
  readonly id: string;
  readonly bytes: number;
}

/** Those of the rows with these ids that exist. */
export function rowsWith(run: RunStatement, table: Table, ids: readonly string[]): Promise<StoredRow[]> {
  return run<StoredRow>("rows-with", selectRows, [table.id, textArray(ids)]);
}

/**
 * The same, locked until the transaction ends, in a fixed order, so that deadlocks are rare. Throws VALIDATION_ERROR if
 * they take too many bytes for one write.
 */
export async function lockRows(run: RunStatement, table: Table, ids: readonly string[]): Promise<StoredRow[]> {
  const values = [table.id, textArray(ids)];
  if (ids.length * rowBytesMax <= writeBytesMax) return await run("lock-rows", `${selectRows} FOR UPDATE`, values);
  return await readLocked(run, table, await run<LockedRow>("lock-row-ids", lockIds, values), "rows");
}

/** Reads rows that the transaction has locked. Throws VALIDATION_ERROR for `field` if they take too many bytes. */
export async function readLocked(
  run: RunStatement,
  table: Table,
  locked: readonly LockedRow[],
  field: string,
): Promise<StoredRow[]> {
  requireFewBytes(locked, field);
  const ids = locked.map(({ id }) => id);
  return ids.length === 0 ? [] : await rowsWith(run, table, ids);
}
