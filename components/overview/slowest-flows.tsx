import Link from "next/link";
import { runsAddress } from "#components/executions/runs-address.ts";
import { formatDuration } from "#components/time/duration.ts";
import styles from "./overview.module.css";
import type { OverviewScope } from "./overview-scope.ts";

/** The flows whose runs take longest. */
export function SlowestFlows({ figures, period }: OverviewScope) {
  return (
    <section className={styles.panel} aria-labelledby="slowest-flows">
      <h2 id="slowest-flows" className={styles.heading}>
        Slowest flows
      </h2>
      {figures.slowestFlows.length === 0 && <p className={styles.none}>No run completed in {period.words}.</p>}
      {figures.slowestFlows.length > 0 && (
        <div className={styles.head} aria-hidden="true">
          <span>p50</span>
          <span>p95</span>
        </div>
      )}
      <ul className={styles.rows}>
        {figures.slowestFlows.map(({ flowId, flowName, p50, p95 }) => (
          <li key={flowId}>
            <Link
              className={styles.row}
              href={runsAddress({ flow: flowId, since: period.value, status: "completed", sort: "duration-desc" })}
            >
              <span className={styles.words}>
                <span className={styles.message}>{flowName}</span>
              </span>
              <span className={styles.number}>{formatDuration(p50)}</span>
              <span className={styles.number}>{formatDuration(p95)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
