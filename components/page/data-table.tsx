import type { ReactNode } from "react";
import styles from "./data-table.module.css";
import { TableSkeleton } from "./table-skeleton.tsx";
import { type Tick, TickAll, TickOne } from "./tick.tsx";

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  readonly kind?: "lead" | "number" | "muted" | "actions";
  /** Says on a phone, where there is no head, what the cell tells. */
  readonly label?: string;
  /** Width of what usually stands there, in pixels: for the skeleton. */
  readonly width?: number;
  /** Whether the cell says nothing that is worth a place on a card. */
  readonly isIdle?: (row: Row) => boolean;
}

interface DataTableProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Where rows can be ticked: which are, and what a row is called. */
  readonly ticks?: { readonly tick: Tick; readonly nameOf: (row: Row) => string };
}

/** A list as a table, and as cards where there is no room for columns. */
export function DataTable<Row>({ columns, rows, keyOf, ticks }: DataTableProps<Row>) {
  return (
    <div className={styles.panel}>
      <table className={styles.table}>
        <thead>
          <tr>
            {ticks && (
              <th className={styles.tick}>
                <TickAll tick={ticks.tick} />
              </th>
            )}
            {columns.map(({ head, kind }) => (
              <th key={head} scope="col" className={kind === "number" ? styles.number : undefined}>
                {kind === "actions" ? <span className={styles.unseen}>{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {ticks && (
                <td className={styles.tick}>
                  <TickOne tick={ticks.tick} id={keyOf(row)} label={`Choose ${ticks.nameOf(row)}`} />
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
