import type { ShownOverview } from "#lib/contract/execution-overview.ts";
import styles from "./chart-bar-tip.module.css";
import { chartSeries } from "./chart-series.ts";

interface ChartBarTipProps {
  readonly figures: ShownOverview;
  readonly at: string;
  readonly nameOf: (at: string) => string;
}

/** What a bar is made of. */
export function ChartBarTip({ figures, at, nameOf }: ChartBarTipProps) {
  const point = figures.series.find((candidate) => candidate.at === at);
  if (point === undefined) return null;
  const parts = chartSeries.filter(({ name }) => point[name] > 0);
  return (
    <div className={styles.tip}>
      <strong>{nameOf(at)}</strong>
      {parts.length === 0 && <span className={styles.none}>No runs</span>}
      {parts.map(({ name, label, color }) => (
        <span key={name} className={styles.part}>
          <span className={styles.swatch} style={{ background: color }} />
          {label}
          <span className={styles.count}>{point[name]}</span>
        </span>
      ))}
    </div>
  );
}
