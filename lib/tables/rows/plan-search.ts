// Plans a search as SQL. One index drives it: the entries of a column that is compared or sorted by, or the primary
// key. Each row found is checked against the other conditions.
import { escapeLike } from "#lib/platform/containing.ts";
import { textArray } from "#lib/platform/rows-parameter.ts";
import { type Cell, keyOf } from "#lib/tables/cells.ts";
import type { Column, Table } from "#lib/tables/table.ts";
import { type Condition, type Operand, type Sorting, simplify, valuesOf } from "./filter.ts";

/** A row's position in a sorted list: its sort value in stored form, and its id. */
export interface Position {
  readonly value: Cell | null;
  readonly id: string;
}

export interface SearchPlan {
  /** `FROM … WHERE …` over rows `r`. */
  readonly from: string;
  readonly orderBy: string;
  readonly values: readonly unknown[];
  /** Whether it finds at most one row per value: by id, or by a unique column. */
  readonly isFew: boolean;
  /** Whether every page is fast: few rows, or the index alone finds the rows in order. */
  readonly isServed: boolean;
}

type Compared = Extract<Condition, { operand: Operand; value: Cell | null }>;

/** What drives a search: the index entries of a column, or none. */
interface Driver {
  readonly column: Column;
  /** The comparisons that the entries decide. */
  readonly decides: readonly Condition[];
  readonly isEqual: boolean;
}

/**
 * `after`: the last row of the previous page. `isChecked`: also checks on the rows what the index decides, for a search
 * that locks them: PostgreSQL rechecks a row that it waited for, but not its index entries.
 */
export function planSearch(
  table: Table,
  condition: Condition,
  sorting: Sorting,
  after: Position | null,
  isChecked = false,
): SearchPlan {
  const values: unknown[] = [table.id];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const simple = simplify(condition);
  const parts = "all" in simple ? simple.all : [simple];
  const driver = chooseDriver(parts, sorting);
  const rest = driver === null || isChecked ? parts : parts.filter((part) => !driver.decides.includes(part));
  const isById = "own" in sorting.operand && sorting.operand.own === "id";
  const isByDriver = driver !== null && sorting.operand === driver.column;
  const order = isById || isByDriver ? sorting : null;
  const id = driver === null ? "r.id" : "k.row_id";
  const by = isById ? null : isByDriver ? "k.key" : `(${sortExpressionOf(sorting.operand)})`;
  const where = [
    ...(driver === null ? ["r.table_id = $1"] : driverClauses(driver, bind)),
    ...rest.map((part) => sqlOf(part, bind)),
    ...(after === null ? [] : [beyond(after, sorting, { by, id, isKey: isByDriver }, bind)]),
  ];
  const isFew = parts.some(isSelective);
  const direction = sorting.descending ? "DESC NULLS FIRST" : "ASC NULLS LAST";
  const idDirection = sorting.descending ? "DESC" : "ASC";
  return {
    from: `FROM ${driver === null ? "table_row r" : "table_key k JOIN table_row r ON r.table_id = k.table_id AND r.id = k.row_id"}
    WHERE ${where.join("\n      AND ")}`,
    orderBy: [...(by === null ? [] : [`${by} ${isByDriver ? idDirection : direction}`]), `${id} ${idDirection}`].join(
      ", ",
    ),
    values,
    isFew,
    isServed: isFew || (rest.length === 0 && order !== null && (driver === null || isInOrder(driver, isByDriver))),
  };
}

/** Whether it finds at most one row per value: ids, or values of a unique column. */
function isSelective(part: Condition): part is Extract<Condition, { operand: Operand }> {
  if (!("operand" in part) || valuesOf(part) === null) return false;
  return "own" in part.operand ? part.operand.own === "id" : part.operand.unique;
}

/** Entries of several values are not in order. */
function isInOrder({ isEqual, decides }: Driver, isByDriver: boolean): boolean {
  return isEqual || (isByDriver && !decides.some((part) => "values" in part));
}

/**
 * In order of preference: ids, which need no index entries; values of a unique column, which find few rows; equality on
 * an indexed column, which finds exactly its rows in the order of ids; the sort column, whose entries are in order; any
 * other comparison of an indexed column.
 */
function chooseDriver(parts: readonly Condition[], { operand }: Sorting): Driver | null {
  const few = parts.filter(isSelective);
  if (few.some((part) => !isIndexed(part.operand))) return null;
  const comparable = parts.filter((part) => "operand" in part && isIndexed(part.operand)) as Compared[];
  const best = few[0] ?? comparable.find(({ is }) => is === "eq");
  if (best !== undefined) return { column: best.operand as Column, decides: [best], isEqual: best.is === "eq" };
  const byEntries = comparable.filter(({ is }) => is !== "contains" && is !== "ne");
  const column = isIndexed(operand) ? operand : (byEntries[0]?.operand as Column | undefined);
  if (column === undefined) return null;
  return { column, decides: byEntries.filter((part) => part.operand === column), isEqual: false };
}

function isIndexed(operand: Operand): operand is Column {
  return "indexed" in operand && operand.indexed;
}

type Bind = (value: unknown) => string;

function driverClauses({ column, decides }: Driver, bind: Bind): string[] {
  const ofColumn = [`k.table_id = $1`, `k.column_id = ${column.id}`];
  return [...ofColumn, ...decides.flatMap((part) => onKeys(part, bind))];
}

const signs = { eq: "=", lt: "<", lte: "<=", gt: ">", gte: ">=" } as const;

/** A comparison on index entries. */
function onKeys(condition: Condition, bind: Bind): string[] {
  if (!("operand" in condition)) return [];
  if (condition.is === "in") return [`k.key = ANY(${bind(textArray(condition.values.map(keyOf)))}::text[])`];
  const { is, value } = condition;
  if (!(is in signs)) return [];
  const compared = `k.key ${signs[is as keyof typeof signs]} ${bind(keyOf(value ?? undefined))}`;
  // Entries for missing values come last.
  return is === "gt" || is === "gte" ? [compared, "k.key < '1'"] : [compared];
}

/** Texts are ordered by their first characters: the last one of a page is in its cursor, which is a part of a URL. */
export const sortedCharactersMax = 1_000;

function sortExpressionOf(operand: Operand): string {
  if ("own" in operand || operand.type !== "text") return expressionOf(operand);
  return `left(r.cells->>'${operand.id}', ${sortedCharactersMax}) COLLATE "C"`;
}

/** A column or an own field in SQL. Columns are numbers, never text from the request. */
function expressionOf(operand: Operand): string {
  if ("own" in operand) return ownExpressions[operand.own];
  const cell = `r.cells->>'${operand.id}'`;
  if (operand.type === "text") return `(${cell}) COLLATE "C"`;
  if (operand.type === "json") return cell;
  return `(${cell})::${operand.type === "boolean" ? "boolean" : "float8"}`;
}

const ownExpressions = {
  id: "r.id",
  version: "r.version",
  createdAt: "(extract(epoch FROM r.created_at) * 1000)::float8",
  updatedAt: "(extract(epoch FROM r.updated_at) * 1000)::float8",
} as const;

function sqlOf(condition: Condition, bind: Bind): string {
  if ("all" in condition) return joined(condition.all, " AND ", "true", bind);
  if ("any" in condition) return joined(condition.any, " OR ", "false", bind);
  const expression = expressionOf(condition.operand);
  const typed = (value: unknown) => `${bind(value)}::${sqlTypeOf(condition.operand)}`;
  if (condition.is === "in") {
    const type = sqlTypeOf(condition.operand);
    const values = type === "text" ? textArray(condition.values.map(String)) : condition.values;
    return `${expression} = ANY(${bind(values)}::${type}[])`;
  }
  const { is, value } = condition;
  if (value === null) return `${expression} IS ${is === "eq" ? "" : "NOT "}NULL`;
  if (is === "ne") return `${expression} IS DISTINCT FROM ${typed(value)}`;
  if (is === "contains") return containing(condition.operand, String(value), bind);
  return `${expression} ${signs[is]} ${typed(value)}`;
}

/** In the database's collation, because "C" folds case for ASCII only. */
function containing(operand: Operand, text: string, bind: Bind): string {
  const searched = "own" in operand ? expressionOf(operand) : `(r.cells->>'${operand.id}')`;
  return `${searched} ILIKE ${bind(`%${escapeLike(text)}%`)}`;
}

function joined(parts: readonly Condition[], operator: string, none: string, bind: Bind): string {
  return parts.length === 0 ? none : `(${parts.map((part) => sqlOf(part, bind)).join(operator)})`;
}

function sqlTypeOf(operand: Operand): string {
  if ("own" in operand) return operand.own === "id" ? "text" : "float8";
  if (operand.type === "text" || operand.type === "json") return "text";
  return operand.type === "boolean" ? "boolean" : "float8";
}

interface Sorted {
  readonly by: string | null;
  readonly id: string;
  readonly isKey: boolean;
}

/** The condition for rows after this one. Missing values come last, or first in descending order. */
function beyond({ value, id }: Position, { operand, descending }: Sorting, sorted: Sorted, bind: Bind): string {
  const sign = descending ? "<" : ">";
  const { by } = sorted;
  if (by !== null && sorted.isKey)
    return `(${by}, ${sorted.id}) ${sign} (${bind(keyOf(value ?? undefined))}, ${bind(id)})`;
  const laterId = `${sorted.id} ${sign} ${bind(id)}`;
  if (by === null) return laterId;
  const others = descending ? `${by} IS NOT NULL` : "false";
  if (value === null) return `(${others} OR (${by} IS NULL AND ${laterId}))`;
  const bound = `${bind(value)}::${sqlTypeOf(operand)}`;
  const nothing = descending ? "" : ` OR ${by} IS NULL`;
  return `(${by} ${sign} ${bound} OR (${by} = ${bound} AND ${laterId})${nothing})`;
}
