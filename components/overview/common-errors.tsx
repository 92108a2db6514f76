import { runsAddress } from "#components/executions/run-queries.ts";
import { Link } from "#components/page/link.tsx";
import styles from "./overview.module.css";
import type { OverviewScope } from "./overview-queries.ts";

/** Enough of a message to find it again. */
const searchedCharacters = 120;

/** The most frequent errors, and their flows. */
export function CommonErrors({ figures, flow, period }: OverviewScope) {
  const most = figures.errors[0]?.count ?? 1;
  return (
    <section className={styles.panel} aria-labelledby="common-errors">
      <h2 id="common-errors" className={styles.heading}>
        Most common errors
      </h2>
      {figures.errors.length === 0 && <p className={styles.none}>Nothing failed in {period.words}.</p>}
      <ul className={styles.rows}>
        {figures.errors.map(({ error, flowId, flowName, count }) => (
          <li key={`${flowId} ${error}`}>
            <Link
              className={styles.row}
              href={runsAddress({
                flow: flowId,
                since: period.value,
                status: "failed,timeout",
                search: error.slice(0, searchedCharacters),
              })}
            >
              <span className={styles.words}>
                <span className={styles.message}>{error}</span>
                {flow === undefined && <span className={styles.quiet}>{flowName}</span>}
              </span>
              <span className={styles.share} aria-hidden="true">
                <span style={{ width: `${(count / most) * 100}%` }} />
              </span>
              <span className={styles.number}>{count}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
