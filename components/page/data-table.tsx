import type { ReactNode } from "react";
import styles from "./data-table.module.css";
import { TableSkeleton } from "./table-skeleton.tsx";

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  readonly kind?: "lead" | "number" | "muted" | "actions";
  /** Says on a phone, where there is no head, what the cell tells. */
  readonly label?: string;
  /** Width of what usually stands there, in pixels: for the skeleton. */
  readonly width?: number;
}

interface DataTableProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** A list as a table, and as cards where there is no room for columns. */
export function DataTable<Row>({ columns, rows, keyOf }: DataTableProps<Row>) {
  return (
    <div className={styles.panel}>
      <table className={styles.table}>
        <thead>
          <tr>
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
              {columns.map(({ head, cell, kind, label }) => (
                <td
                  key={head}
                  data-label={label}
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

/** The same while it loads. */
export function DataTableSkeleton<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <TableSkeleton
      heads={columns.map(({ head, kind }) => (kind === "actions" ? "" : head))}
      widths={columns.map(({ width = 80 }) => width)}
      rows={5}
    />
  );
}
