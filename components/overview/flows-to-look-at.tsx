import { ErrorText } from "#components/executions/errors/error-text.tsx";
import { runsAddress } from "#components/executions/run-queries.ts";
import { Link } from "#components/page/link.tsx";
import { formatDuration } from "#components/time/duration.ts";
import styles from "./overview.module.css";
import type { OverviewScope } from "./overview-queries.ts";

/** Enough of a message to find it again. */
const searchedCharacters = 120;

/** The flows that fail most, and the slowest ones. */
export default function FlowsToLookAt(scope: OverviewScope) {
  return (
    <>
      <CommonErrors {...scope} />
      <SlowestFlows {...scope} />
    </>
  );
}

/** The most frequent errors, and their flows. */
function CommonErrors({ figures, flow, period }: OverviewScope) {
  const max = figures.errors[0]?.count ?? 1;
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
                <span dir="auto">
                  <ErrorText message={error} flowId={flowId} />
                </span>
                {flow === undefined && (
                  <span className={styles.quiet} dir="auto">
                    {flowName}
                  </span>
                )}
              </span>
              <span className={styles.share} aria-hidden="true">
                <span style={{ width: `${(count / max) * 100}%` }} />
              </span>
              <span className={styles.number}>{count}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The flows with the longest runs. */
function SlowestFlows({ figures, period }: OverviewScope) {
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
                <span dir="auto">{flowName}</span>
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
