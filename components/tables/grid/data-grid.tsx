// biome-ignore-all lint/a11y/useSemanticElements: a table cannot leave out the rows and columns that are not seen
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names its active cell
"use client";

import { Checkbox, Skeleton } from "@mantine/core";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { cellKey, type GridState } from "#components/tables/model/grid-state.ts";
import { isUnsaved, rowAt } from "#components/tables/model/row-pages.ts";
import type { TableModel } from "#components/tables/model/table-model.ts";
import type { ShownColumn, ShownRow } from "#components/tables/table-queries.ts";
import { type ColumnActions, ColumnHead } from "./column-head.tsx";
import styles from "./data-grid.module.css";
import { cellId, GridCell } from "./grid-cell.tsx";
import { handleGridKey } from "./grid-keys.ts";
import type { Grid } from "./use-grid.ts";

const rowPx = 34;
/** The height of the header with its border. */
const headPx = 35;
/** The width of the column with row numbers and checkboxes. */
const leadPx = 64;

interface DataGridProps {
  readonly label: string;
  readonly grid: Grid;
  readonly model: TableModel;
  readonly state: GridState;
  readonly columns: readonly ShownColumn[];
  readonly widthOf: (column: ShownColumn) => number;
  readonly actions: ColumnActions;
  /** Shown if there are no rows. */
  readonly empty: ReactNode;
}

/** A spreadsheet that renders only the visible rows and columns. It has the focus, and names its active cell. */
export function DataGrid({ label, grid, model, state, columns, widthOf, actions, empty }: DataGridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { active, count, editing } = grid;
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 6,
    scrollMargin: headPx,
    scrollPaddingStart: headPx,
    rangeExtractor: withPlace(editing?.row),
    scrollPaddingEnd: 12,
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (columns[at] ? widthOf(columns[at]) : 0),
    overscan: 2,
    rangeExtractor: withPlace(editing?.column),
    paddingStart: leadPx,
    scrollPaddingStart: leadPx,
  });
  const shape = columns.map((column) => widthOf(column)).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: columns are measured again when their widths change
  useEffect(() => across.measure(), [shape]);
  const shown = rows.getVirtualItems();
  const [first, last] = [rows.range?.startIndex ?? 0, rows.range?.endIndex ?? 0];
  const { pages } = state.rows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: which rows are missing depends on those that are loaded
  useEffect(() => model.loader.show(first, last), [model, first, last, pages, count, state.failure]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls only when the active cell changes
  useEffect(() => {
    if (count === 0) return;
    rows.scrollToIndex(active.row, { align: "auto" });
    across.scrollToIndex(active.column, { align: "auto" });
  }, [active.row, active.column]);
  useClipboard(scroller, grid);
  const isEditing = editing !== null;
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing && (document.activeElement ?? document.body) === document.body) {
      scroller.current?.focus({ preventScroll: true });
    }
    wasEditing.current = isEditing;
  }, [isEditing]);
  const width = across.getTotalSize();
  const visible = across.getVirtualItems();
  const pageRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowPx) - 2);
  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={state.rows.next === null ? count + 1 : -1}
        aria-colcount={columns.length + 1}
        aria-multiselectable="true"
        aria-readonly={actions.refusal !== null}
        aria-activedescendant={count > 0 && !isEditing ? cellId(active) : undefined}
        aria-busy={state.isLoading}
        className={styles.grid}
        onKeyDown={(event) => handleGridKey(event, { grid, model, state, columns, pageRows })}
      >
        <div role="rowgroup" className={styles.head} style={{ width }}>
          <div role="row" aria-rowindex={1} className={styles.headRow}>
            <div role="columnheader" aria-colindex={1} className={styles.corner}>
              <span className="unseen">Row</span>
            </div>
            {visible.map(({ index, start, size }) => {
              const column = columns[index];
              if (column === undefined) return null;
              return (
                <ColumnHead key={column.id} column={column} at={index} left={start} width={size} actions={actions} />
              );
            })}
          </div>
        </div>
        {count > 0 && (
          <div role="rowgroup" className={styles.body} style={{ width, height: rows.getTotalSize() }}>
            {shown.map(({ index, start }) => {
              const row = rowAt(state.rows, index);
              return (
                <div
                  key={index}
                  role="row"
                  aria-rowindex={index + 2}
                  aria-selected={row !== undefined && grid.ticked.has(row.id)}
                  className={styles.row}
                  data-ticked={(row !== undefined && grid.ticked.has(row.id)) || undefined}
                  style={{ transform: `translateY(${start - headPx}px)`, width }}
                >
                  <Lead row={row} index={index} grid={grid} isLocked={actions.refusal !== null} />
                  {visible.map((item) => {
                    const column = columns[item.index];
                    if (column === undefined) return null;
                    if (row === undefined) {
                      return (
                        <div
                          key={column.id}
                          role="gridcell"
                          aria-colindex={item.index + 2}
                          className={styles.cell}
                          style={{ left: item.start, width: item.size }}
                        >
                          <Skeleton height={10} width="60%" />
                        </div>
                      );
                    }
                    const isEmpty = (row[column.name] ?? null) === null;
                    return (
                      <GridCell
                        key={column.id}
                        place={{ row: index, column: item.index }}
                        column={column}
                        value={row[column.name]}
                        problem={state.problems.get(cellKey(row.id, column.name))}
                        isMissing={isUnsaved(row.id) && column.required && isEmpty}
                        grid={grid}
                        left={item.start}
                        width={item.size}
                      />
                    );
                  })}
                </div>
              );
            })}
          </div>
        )}
      </div>
      {count === 0 && (state.isLoading ? <Bars /> : <div className={styles.empty}>{empty}</div>)}
    </div>
  );
}

/** Listens on the page: browsers send clipboard events to the text cursor, which a grid does not have. */
function useClipboard(scroller: RefObject<HTMLElement | null>, grid: Grid): void {
  useEffect(() => {
    const take = (event: ClipboardEvent) => {
      if (document.activeElement !== scroller.current) return;
      if (event.type === "paste") grid.paste(event);
      else if (grid.copy(event) && event.type === "cut") grid.fill("");
    };
    const kinds = ["copy", "cut", "paste"] as const;
    for (const kind of kinds) document.addEventListener(kind, take);
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, take);
    };
  });
}

/** Keeps the edited cell rendered when it is scrolled out of view. */
function withPlace(place: number | undefined): (range: Range) => number[] {
  return (range) => {
    const shown = defaultRangeExtractor(range);
    if (place === undefined || place >= range.count || shown.includes(place)) return shown;
    return [...shown, place].sort((a, b) => a - b);
  };
}

interface LeadProps {
  readonly row: ShownRow | undefined;
  readonly index: number;
  readonly grid: Grid;
  readonly isLocked: boolean;
}

/** A row's number and checkbox. */
function Lead({ row, index, grid, isLocked }: LeadProps) {
  const isNew = row !== undefined && isUnsaved(row.id);
  return (
    <div role="rowheader" aria-colindex={1} className={styles.lead}>
      <span className={styles.number} data-new={isNew || undefined}>
        {isNew ? "new" : index + 1}
      </span>
      {row && !isLocked && (
        <Checkbox
          size="xs"
          tabIndex={-1}
          aria-label={`Select row ${index + 1}`}
          checked={grid.ticked.has(row.id)}
          onChange={({ nativeEvent }) => grid.tick(index, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        />
      )}
    </div>
  );
}

/** Placeholders for rows that are not loaded yet. */
function Bars() {
  return (
    <div className={styles.empty} aria-hidden="true">
      {[70, 55, 62, 48, 66, 58].map((width) => (
        <Skeleton key={width} height={10} width={`${width}%`} mb={24} />
      ))}
    </div>
  );
}
