import { columnNamed, invalid, type Table } from "#lib/tables/table.ts";
import type { RowChange } from "./apply-changes.ts";
import { type StoredRow, writtenCells } from "./stored-row.ts";

/** Adds to a number in a locked row; a missing value counts as 0. Throws VALIDATION_ERROR. */
export function incremented(
  table: Table,
  row: StoredRow,
  { column, by }: { readonly column: string; readonly by: number },
): RowChange["after"] {
  const { id, name, type } = columnNamed(table, column, "column");
  if (type !== "number") throw invalid({ column: "must be a column of numbers" });
  const sum = Number(row.cells[id] ?? 0) + by;
  if (!Number.isFinite(sum)) throw invalid({ by: "leads beyond the largest number" });
  return writtenCells(table, { [name]: sum }, row.cells);
}
