import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./data-table.module.css";
import { type RowSelection, SelectAllRows, SelectRow } from "./row-selection.tsx";

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  readonly kind?: "lead" | "number" | "muted" | "actions";
  /** The cell's label on a phone, where there is no header. */
  readonly label?: string;
  /** Usual width of the content in pixels, for the skeleton. */
  readonly width?: number;
  /** Whether a card leaves out this cell. */
  readonly isIdle?: (row: Row) => boolean;
}

interface DataTableProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** For selectable rows: the selection, and a row's name. */
  readonly selectable?: { readonly selection: RowSelection; readonly nameOf: (row: Row) => string };
}

/** A list as a table, or as cards where there is no room for columns. */
export function DataTable<Row>({ columns, rows, keyOf, selectable }: DataTableProps<Row>) {
  return (
    <div className={styles.panel}>
      <table className={styles.table}>
        <thead>
          <tr>
            {selectable && (
              <th className={styles.tick}>
                <SelectAllRows selection={selectable.selection} />
              </th>
            )}
            {columns.map(({ head, kind }) => (
              <th key={head} scope="col" className={kind === "number" ? styles.number : undefined}>
                {kind === "actions" ? <span className="unseen">{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {selectable && (
                <td className={styles.tick}>
                  <SelectRow
                    selection={selectable.selection}
                    id={keyOf(row)}
                    label={`Select ${selectable.nameOf(row)}`}
                  />
                </td>
              )}
              {columns.map(({ head, cell, kind, label, isIdle }) => (
                <td
                  key={head}
                  data-label={label}
                  data-zero={isIdle?.(row) || undefined}
                  data-lead={kind === "lead" || undefined}
                  className={kind === undefined || kind === "lead" ? undefined : styles[kind]}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface DataTableSkeletonProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly hasTicks?: boolean;
  readonly rows?: number;
}

/** The same while it loads. */
export function DataTableSkeleton<Row>({ columns, hasTicks = false, rows = 5 }: DataTableSkeletonProps<Row>) {
  const heads = columns.map(({ head, kind }) => (kind === "actions" ? "" : head));
  const widths = columns.map(({ width = 80 }) => width);
  return (
    <TableSkeleton heads={hasTicks ? ["", ...heads] : heads} widths={hasTicks ? [16, ...widths] : widths} rows={rows} />
  );
}

interface TableSkeletonProps {
  readonly heads: readonly string[];
  /** Widths of the columns' content, in pixels. */
  readonly widths: readonly number[];
  readonly rows?: number;
}

/** A loading list: the table to come, with bars for text. */
function TableSkeleton({ heads, widths, rows = 8 }: TableSkeletonProps) {
  return (
    <div className={styles.panel} aria-busy="true">
      <span role="status" className="unseen">
        Loading
      </span>
      <table className={styles.table} aria-hidden="true">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike
            <tr key={row}>
              {heads.map((head, column) => (
                <td key={head}>
                  <Skeleton height={10} width={(widths[column] ?? 80) * (1 - ((row * 7 + column) % 4) * 0.08)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
