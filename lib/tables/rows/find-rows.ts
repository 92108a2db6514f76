import type { Actor } from "#lib/auth/actor.ts";
import type { RowsQuery } from "#lib/contract/tables/rows.ts";
import { isStorableText } from "#lib/engine/flow.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { query, queryPlanned, type RunStatement } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { mapInTurns } from "#lib/platform/turns.ts";
import type { Cell } from "#lib/tables/cells.ts";
import { findTable, inTableTransaction, invalid, type Table } from "#lib/tables/table.ts";
import { sizeOf } from "#lib/tables/tables.ts";
import { secondsMax, unprepared, withinTime } from "#lib/tables/within-time.ts";
import { type Condition, type Operand, parseFilter, parseSort, type Sorting } from "./filter.ts";
import { type Position, planSearch, type SearchPlan, sortedCharactersMax } from "./plan-search.ts";
import { searchSlots } from "./search-slots.ts";
import { type LockedRow, overheadBytes, readLocked, rowsWith, type StoredRow, showRow } from "./stored-row.ts";

export interface Search {
  /** A filter in the API's form. */
  readonly where?: unknown;
  readonly sort?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface FoundRows {
  readonly rows: readonly StoredRow[];
  /** The cursor for the next page; null if there is none. */
  readonly nextCursor: string | null;
}

/** A page has fewer rows than requested if they are larger. */
const pageBytesMax = 2_097_152;

const columns = "id, version, cells, bytes, created_at, updated_at";

/** A page of the table's rows. Throws VALIDATION_ERROR, including for a search that takes too long. */
export async function findRows(table: Table, { where, sort, limit, cursor }: Search): Promise<FoundRows> {
  const sorting = parseSort(table, sort);
  const after = cursor === undefined ? null : readCursor(cursor, sorting, sort);
  const plan = planSearch(table, parseFilter(table, where), sorting, after);
  const page = `SELECT ${columns.replace(/\w+/g, "r.$&")} ${plan.from} ORDER BY ${plan.orderBy} LIMIT ${limit + 1}`;
  // The sent bytes of the preceding rows.
  const before = `sum(bytes + ${overheadBytes(table)}) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;
  const text = `
    SELECT ${columns}, found FROM (
      SELECT p.*, coalesce(${before}, 0) AS before, count(*) OVER ()::int AS found
      FROM (${page}) AS p) AS q
    WHERE before < ${pageBytesMax}`;
  const found = await search<StoredRow & { found: number }>(table, text, plan);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const isMore = last !== undefined && rows.length < last.found;
  return { rows, nextCursor: isMore ? cursorAfter(last, sorting, sort) : null };
}

/** How many rows a filter finds. Throws VALIDATION_ERROR. */
export async function countFound(table: Table, where: unknown): Promise<number> {
  const condition: Condition = parseFilter(table, where);
  const plan = planSearch(table, condition, parseSort(table, undefined), null);
  const text = `SELECT count(*)::int AS count ${plan.from}`;
  const [row] = await search<{ count: number }>(table, text, { ...plan, isServed: plan.isFew });
  return row?.count ?? 0;
}

/** Whether an index serves a filter. Throws VALIDATION_ERROR. */
export function isServed(table: Table, where: unknown): boolean {
  return planSearch(table, parseFilter(table, where), parseSort(table, undefined), null).isServed;
}

/**
 * The rows that a filter finds, locked until the transaction ends. Throws VALIDATION_ERROR, including for more than
 * `limit` rows or too many bytes for one write, before any row is read.
 */
export async function lockFound(run: RunStatement, table: Table, where: unknown, limit: number): Promise<StoredRow[]> {
  const { from, values } = planSearch(table, parseFilter(table, where), parseSort(table, undefined), null, true);
  const text = `SELECT r.id, r.bytes ${from} ORDER BY r.id LIMIT ${limit + 1} FOR UPDATE OF r`;
  const refusal = `takes longer than ${secondsMax} seconds: no index serves it, or others write to many of the rows`;
  const locked = await withinTime(run, { where: refusal }, () => run<LockedRow>(unprepared, text, values));
  if (locked.length > limit) throw invalid({ where: `matches more than ${limit} rows` });
  return await readLocked(run, table, locked, "where");
}

async function search<Row extends Record<string, unknown>>(
  { workspaceId }: Table,
  text: string,
  { values, isServed }: Pick<SearchPlan, "values" | "isServed">,
): Promise<Row[]> {
  if (isServed) return await queryPlanned<Row>(text, values);
  const where = `takes longer than ${secondsMax} seconds: no index serves it. Index the column that it compares or sorts by`;
  return await searchSlots().use(workspaceId, () =>
    inTableTransaction((run) => withinTime(run, { where }, () => run<Row>(unprepared, text, values))),
  );
}

/** Includes the sort, so that a cursor cannot be used with another. */
function cursorAfter(row: StoredRow, sorting: Sorting, sort: string | undefined): string {
  const place = [sort ?? "", sortedBy(row, sorting), row.id];
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function sortedBy(row: StoredRow, { operand }: Sorting): Cell | null {
  if (!("own" in operand)) return sortedPartOf(row.cells[operand.id] ?? null);
  const own = {
    id: null,
    version: row.version,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
  };
  return own[operand.own];
}

/** Characters are counted as PostgreSQL does: a surrogate pair is one. */
function sortedPartOf(cell: Cell | null): Cell | null {
  if (typeof cell !== "string" || cell.length <= sortedCharactersMax) return cell;
  return [...cell.slice(0, 2 * sortedCharactersMax)].slice(0, sortedCharactersMax).join("");
}

function readCursor(cursor: string, { operand }: Sorting, sort: string | undefined): Position {
  const refused = new AppError("VALIDATION_ERROR", "The request query is not valid", {
    details: { cursor: "must be one that a page with the same sort ended with" },
  });
  let place: unknown;
  try {
    place = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw refused;
  }
  if (!Array.isArray(place) || place.length !== 3) throw refused;
  const [sorted, value, id] = place as unknown[];
  const isOfThis = sorted === (sort ?? "") && (value === null || isSortedBy(operand, value));
  if (!isOfThis || typeof id !== "string" || !isId("tableRow", id)) throw refused;
  return { value: value as Cell | null, id };
}

function isSortedBy(operand: Operand, value: unknown): boolean {
  const type = "own" in operand ? "number" : operand.type;
  if (type === "text") return typeof value === "string" && isStorableText(value);
  return typeof value === (type === "boolean" ? "boolean" : "number");
}

/** A page of a table's rows. Throws NOT_FOUND, VALIDATION_ERROR. */
export async function listRows({ workspaceId }: Actor, tableId: string, rowsQuery: RowsQuery) {
  const table = await findTable(query, workspaceId, tableId);
  const { rows, nextCursor } = await findRows(table, rowsQuery);
  return { rows: await mapInTurns(rows, (row) => showRow(table, row)), nextCursor };
}

/** How many rows a filter finds. Throws NOT_FOUND, VALIDATION_ERROR. */
export async function countRows({ workspaceId }: Actor, tableId: string, where: unknown) {
  const table = await findTable(query, workspaceId, tableId);
  return { count: where === undefined ? (await sizeOf(table.id)).rows : await countFound(table, where) };
}

/** One row. Throws NOT_FOUND. */
export async function readRow({ workspaceId }: Actor, tableId: string, rowId: string) {
  const table = await findTable(query, workspaceId, tableId);
  const [row] = isId("tableRow", rowId) ? await rowsWith(query, table, [rowId]) : [];
  if (row === undefined) throw notFound("Row");
  return showRow(table, row);
}
