"use client";

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { type GridState, missingColumns } from "#components/tables/model/grid-state.ts";
import { isUnsaved } from "#components/tables/model/row-pages.ts";
import { rowsInWords, type ShownTable, tableQueries } from "#components/tables/table-queries.ts";
import styles from "./toolbar.module.css";
import type { Grid } from "./use-grid.ts";

interface GridFootProps {
  readonly table: ShownTable;
  readonly state: GridState;
  readonly where: string | undefined;
  readonly grid: Grid;
  readonly refusal: string | null;
  /** Retries rows that could not be saved. */
  readonly onSave: () => void;
}

/** Below the rows: their number, unsaved rows, and the shortcuts. */
export function GridFoot({ table, state, where, grid, refusal, onSave }: GridFootProps) {
  const found = useQuery({
    ...tableQueries.count(useApi(), table.id, where ?? ""),
    enabled: where !== undefined && state.rows.next !== null && state.rows.pages.length > 0,
  });
  const { range } = grid;
  const cells = (range.bottom - range.top + 1) * (range.right - range.left + 1);
  const of = where === undefined ? table.rowCount : found.data?.count;
  const isAll = state.rows.next === null;
  const there = isAll || of === undefined ? rowsInWords(grid.count) : rowsInWords(of);
  const unsaved = state.rows.added.filter(({ id }) => isUnsaved(id));
  const isWaiting = state.writing === 0 && state.problems.size === 0;
  const missing = unsaved.flatMap((row) => missingColumns(row, table.columns).map(({ name }) => name));
  return (
    <div className={styles.foot}>
      <span role="status">
        {state.writing > 0 ? `Saving ${rowsInWords(state.writing)}…` : `${there}${where === undefined ? "" : " match"}`}
        {!isAll && of === undefined && " so far"}
      </span>
      {cells > 1 && grid.count > 0 && <span>{cells.toLocaleString("en")} cells selected</span>}
      {state.problems.size > 0 && (
        <span role="alert" className={styles.wrong}>
          {state.problems.size === 1 ? "1 cell is not saved" : `${state.problems.size} cells are not saved`}: fix it, or
          press Escape on it to discard it.
        </span>
      )}
      {missing.length > 0 && state.writing === 0 && (
        <span>
          {unsaved.length === 1 ? "1 row" : `${unsaved.length} rows`} can’t be saved without{" "}
          {[...new Set(missing)].slice(0, 5).join(", ")}.
        </span>
      )}
      {unsaved.length > 0 && missing.length === 0 && isWaiting && (
        <span className={styles.wrong}>
          {unsaved.length === 1 ? "1 row is" : `${unsaved.length} rows are`} not saved.{" "}
          <Button variant="light" size="compact-xs" onClick={onSave}>
            Try again
          </Button>
        </span>
      )}
      {refusal === null ? (
        <span className={styles.keys}>Enter edits · Delete clears · Shift+Space selects a row</span>
      ) : (
        <span>{refusal}</span>
      )}
    </div>
  );
}
