"use client";

import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { runsAddress } from "#components/executions/run-queries.ts";
import { Link } from "#components/page/link.tsx";
import { RunStatus } from "#components/status/run-status.tsx";
import { RunningDuration } from "#components/time/relative-time.tsx";
import styles from "./overview.module.css";
import { overviewQueries } from "./overview-queries.ts";

/** What is running now, whenever it started. */
export default function RunningNow({ flow }: { readonly flow: string | undefined }) {
  const runs = useQuery(overviewQueries.running(useApi(), flow));
  const { items = [], pagination } = runs.data ?? {};
  const total = pagination?.total ?? 0;
  return (
    <section className={styles.panel} aria-labelledby="running-now">
      <h2 id="running-now" className={styles.heading}>
        Running now
        {total > items.length && (
          <Link href={runsAddress({ flow, status: "running,pending" })} className={styles.all}>
            All {total}
          </Link>
        )}
      </h2>
      {runs.data === undefined && runs.errorUpdateCount === 0 && <Skeleton height={20} width={140} />}
      {/* Not `isError`, which would blink: each attempt makes a query without data pending again. */}
      {runs.data === undefined && runs.errorUpdateCount > 0 && (
        <p className={styles.none} role="alert">
          The current runs could not be loaded. Trying again.
        </p>
      )}
      {runs.data !== undefined && items.length === 0 && <p className={styles.none}>Nothing is running.</p>}
      <ul className={styles.rows}>
        {items.map((run) => (
          <li key={run.id}>
            <Link className={styles.row} href={`/runs/${run.id}`}>
              <span className={styles.words}>
                <span dir="auto">{run.flowName}</span>
              </span>
              <RunStatus {...run} />
              <span className={styles.number}>
                <RunningDuration startedAt={run.startedAt} durationMs={run.duration} live />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
