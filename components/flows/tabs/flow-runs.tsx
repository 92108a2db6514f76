"use client";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { useRemaining } from "#components/deletion/pending-deletion.ts";
import { runQueries } from "#components/executions/run-queries.ts";
import { RunTable, runColumns } from "#components/executions/run-table.tsx";
import { DataTableSkeleton } from "#components/list/data-table.tsx";
import { ListPager } from "#components/list/list-states.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { Link } from "#components/page/link.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import styles from "./tab-page.module.css";

/** All runs of one flow, updated live. */
export function FlowRuns({ flowId }: { readonly flowId: string }) {
  const { read, change } = useUrlState();
  const page = read("page");
  const runs = useRemaining(useQuery(runQueries.list(useApi(), { flow: flowId, page })));
  return (
    <section className={styles.page} aria-label="Runs">
      <h2 className={styles.heading}>
        Runs
        <Link href={`/runs?flow=${flowId}`}>Filter these runs</Link>
      </h2>
      {runs.isPending && <DataTableSkeleton columns={runColumns(false)} rows={8} />}
      {runs.isError && runs.data === undefined && (
        <FailureNotice title="The runs could not be loaded" error={runs.error} onRetry={() => void runs.refetch()} />
      )}
      {runs.data?.items.length === 0 && (
        <p className={styles.muted}>This flow has not run yet. Press Run, or call its trigger.</p>
      )}
      {runs.data && runs.data.items.length > 0 && (
        <>
          <RunTable runs={runs.data.items} withFlow={false} />
          <ListPager pagination={runs.data.pagination} onPage={(next) => change({ page: String(next) })} />
        </>
      )}
    </section>
  );
}
