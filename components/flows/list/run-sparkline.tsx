import { runStatuses } from "#components/status/run-statuses.ts";
import type { RecentRuns } from "#lib/contract/execution-recent.ts";
import styles from "./run-sparkline.module.css";

const [heightPx, leastPx] = [20, 4];

/** A flow's last runs, the latest at the right: each a bar in the colour of its status, as high as it took long. */
export function RunSparkline({ runs }: { readonly runs: RecentRuns["runs"] | undefined }) {
  if (runs === undefined || runs.length === 0) return null;
  const longest = Math.max(1, ...runs.map(({ duration }) => duration ?? 0));
  const failed = runs.filter(({ status }) => status === "failed" || status === "timeout").length;
  const words = failed === 0 ? `None of the last ${runs.length} failed` : `${failed} of the last ${runs.length} failed`;
  return (
    <span className={styles.runs} role="img" aria-label={words} title={words}>
      {[...runs].reverse().map(({ id, status, duration }) => (
        <span
          key={id}
          className={styles.run}
          data-status={status}
          title={runStatuses[status].label}
          style={{ height: leastPx + ((duration ?? longest) / longest) * (heightPx - leastPx) }}
        />
      ))}
    </span>
  );
}
