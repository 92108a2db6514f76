"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useApi } from "#components/api/use-api.ts";
import { runQueries } from "#components/executions/run-queries.ts";
import { RunTable, runColumns } from "#components/executions/run-table.tsx";
import { DataTableSkeleton } from "#components/page/data-table.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import styles from "./flow-reading.module.css";

/** A flow's latest runs. */
export function RecentRuns({ flowId }: { readonly flowId: string }) {
  const runs = useQuery(runQueries.list(useApi(), { flow: flowId, limit: 10 }));
  return (
    <section className={styles.section} aria-labelledby="recent-runs">
      <h2 id="recent-runs" className={styles.heading}>
        Recent runs
        {runs.data && runs.data.pagination.total > 0 && <Link href={`/runs?flow=${flowId}`}>Show all</Link>}
      </h2>
      {runs.isPending && <DataTableSkeleton columns={runColumns(false)} rows={3} />}
      {runs.isError && runs.data === undefined && (
        <FailureNotice what="The runs could not be loaded" error={runs.error} onRetry={() => void runs.refetch()} />
      )}
      {runs.data?.items.length === 0 && (
        <p className={styles.muted}>This flow has not run yet. Press Run, or call its trigger.</p>
      )}
      {runs.data && runs.data.items.length > 0 && <RunTable runs={runs.data.items} withFlow={false} />}
    </section>
  );
}
