import type { KeyboardEvent } from "react";
import { isMac } from "#components/palette/palette-loader.ts";
import { cellKey, type GridState } from "#components/tables/model/grid-state.ts";
import { rowAt } from "#components/tables/model/row-pages.ts";
import type { TableModel } from "#components/tables/model/table-model.ts";
import type { ShownColumn } from "#components/tables/table-queries.ts";
import type { Grid } from "./use-grid.ts";

interface KeyContext {
  readonly grid: Grid;
  readonly model: TableModel;
  readonly state: GridState;
  readonly columns: readonly ShownColumn[];
  /** The number of rows that fit on the screen. */
  readonly pageRows: number;
}

/** The keys of a spreadsheet. All others are left to the browser. */
export function handleGridKey(event: KeyboardEvent<HTMLElement>, context: KeyContext): void {
  if (event.target !== event.currentTarget || (event.altKey && !isTyped(event))) return;
  if (moveByKey(event, context) || changeByKey(event, context)) event.preventDefault();
}

function moveByKey(event: KeyboardEvent, { grid, columns, pageRows }: KeyContext): boolean {
  const { row, column } = grid.active;
  const [last, lastColumn] = [grid.count - 1, columns.length - 1];
  const isFar = event.ctrlKey || event.metaKey;
  if (event.key === "Tab") {
    const next = column + (event.shiftKey ? -1 : 1);
    // At the row's ends, Tab leaves the grid as usual.
    if (next < 0 || next > lastColumn) return false;
    grid.go({ row, column: next });
    return true;
  }
  const places: Record<string, { row: number; column: number }> = {
    ArrowUp: { row: isFar ? 0 : row - 1, column },
    ArrowDown: { row: isFar ? last : row + 1, column },
    ArrowLeft: { row, column: isFar ? 0 : column - 1 },
    ArrowRight: { row, column: isFar ? lastColumn : column + 1 },
    Home: { row: isFar ? 0 : row, column: 0 },
    End: { row: isFar ? last : row, column: lastColumn },
    PageUp: { row: row - pageRows, column },
    PageDown: { row: row + pageRows, column },
  };
  const place = places[event.key];
  if (place === undefined) return false;
  grid.go(place, event.shiftKey);
  return true;
}

function changeByKey(event: KeyboardEvent, { grid, model, state, columns }: KeyContext): boolean {
  const { active } = grid;
  const [row, column] = [rowAt(state.rows, active.row), columns[active.column]];
  if (row === undefined || column === undefined) return false;
  if (event.key === " " && event.shiftKey) {
    grid.tick(active.row, false);
    return true;
  }
  if (event.key === "Escape") {
    if (state.problems.has(cellKey(row.id, column.name))) model.letGo(row, column);
    grid.go(active);
    return true;
  }
  if ((event.ctrlKey || event.metaKey) && !isTyped(event)) return false;
  if (event.key === "Enter" || event.key === "F2") {
    grid.edit(active);
    return true;
  }
  if (event.key === "Delete" || event.key === "Backspace") {
    grid.fill("");
    return true;
  }
  if (event.key === " " && column.type === "boolean") {
    if (grid.mayChange()) model.edit([{ row, column, text: String(row[column.name] !== true) }]);
    return true;
  }
  if (!isTyped(event)) return false;
  if (column.type === "boolean") grid.edit(active);
  else grid.edit(active, event.key);
  return true;
}

/**
 * Whether a key types a character. AltGr is Ctrl and Alt on Windows, and Option types on a Mac; other keys with these are
 * shortcuts.
 */
function isTyped(event: KeyboardEvent): boolean {
  // Names of keys, such as Home, are longer.
  if ([...event.key].length !== 1) return false;
  if (event.getModifierState("AltGraph")) return true;
  return !(event.ctrlKey || event.metaKey) && (!event.altKey || isMac());
}
