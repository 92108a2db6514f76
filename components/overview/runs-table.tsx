import type { ShownOverview } from "#lib/contract/execution-overview.ts";
import type { shownSeries } from "./chart-series.ts";
import styles from "./overview.module.css";

interface RunsTableProps {
  readonly points: ShownOverview["series"];
  readonly series: ReturnType<typeof shownSeries>;
  readonly nameOf: (at: string) => string;
}

/** What the bars show, for those who cannot see them. */
export function RunsTable({ points, series, nameOf }: RunsTableProps) {
  return (
    <table className={styles.unseen}>
      <caption>Runs by status</caption>
      <thead>
        <tr>
          <th>Time</th>
          {series.map(({ name, label }) => (
            <th key={name}>{label}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.map((point) => (
          <tr key={point.at}>
            <th>{nameOf(point.at)}</th>
            {series.map(({ name }) => (
              <td key={name}>{point[name]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
