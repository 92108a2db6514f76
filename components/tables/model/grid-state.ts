import type { ShownColumn, ShownRow } from "#components/tables/table-queries.ts";
import { type History, noHistory, type Values } from "./edit-history.ts";
import { isUnsaved, noRows, type RowPages } from "./row-pages.ts";

/** Typed text that the table does not accept: it stays in the cell until it is corrected or discarded. */
export interface CellProblem {
  readonly text: string;
  readonly message: string;
}

/** A row that someone else changed while it was edited here. */
export interface Conflict {
  readonly id: string;
  readonly mine: Values;
  readonly theirs: ShownRow;
}

export interface GridState {
  readonly rows: RowPages;
  readonly isLoading: boolean;
  /** Why rows could not be loaded. */
  readonly failure: Error | null;
  readonly problems: ReadonlyMap<string, CellProblem>;
  readonly conflicts: readonly Conflict[];
  readonly history: History;
  /** Rows being saved. */
  readonly writing: number;
}

export const emptyState: GridState = {
  rows: noRows,
  isLoading: false,
  failure: null,
  problems: new Map(),
  conflicts: [],
  history: noHistory,
  writing: 0,
};

/** The key of a cell's problem. A row id contains no space. */
export function cellKey(rowId: string, column: string): string {
  return `${rowId} ${column}`;
}

/** A row's values, without its own fields and without nulls. */
export function valuesOf(row: ShownRow, columns: readonly ShownColumn[]): Values {
  const given = columns.map(({ name }) => [name, row[name] ?? null] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== null));
}

/** The columns that need a value before a row can be saved. */
export function missingColumns(row: ShownRow, columns: readonly ShownColumn[]): ShownColumn[] {
  return columns.filter(({ name, required }) => required && (row[name] ?? null) === null);
}

/** The unsaved rows that are complete and valid. */
export function readyRows({ rows, problems }: GridState, columns: readonly ShownColumn[]): ShownRow[] {
  return rows.added.filter(
    (row) =>
      isUnsaved(row.id) &&
      missingColumns(row, columns).length === 0 &&
      !columns.some(({ name }) => problems.has(cellKey(row.id, name))),
  );
}

/** The problems, under the rows' new ids. */
export function movedProblems(
  problems: ReadonlyMap<string, CellProblem>,
  ids: ReadonlyMap<string, string>,
): ReadonlyMap<string, CellProblem> {
  if (problems.size === 0 || ids.size === 0) return problems;
  return new Map(
    [...problems].map(([key, problem]) => {
      const space = key.indexOf(" ");
      return [cellKey(ids.get(key.slice(0, space)) ?? key.slice(0, space), key.slice(space + 1)), problem];
    }),
  );
}
