import { Skeleton } from "@mantine/core";
import styles from "./data-table.module.css";

interface TableSkeletonProps {
  readonly heads: readonly string[];
  /** Widths of what will stand in each column, in pixels. */
  readonly widths: readonly number[];
  readonly rows?: number;
}

/** A list while it loads: the table that will be there, with bars for words. */
export function TableSkeleton({ heads, widths, rows = 8 }: TableSkeletonProps) {
  return (
    <div className={styles.panel} aria-busy="true">
      <span role="status" style={{ position: "absolute", clipPath: "inset(50%)" }}>
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
