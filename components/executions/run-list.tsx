"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { ListPager } from "#components/page/list-pager.tsx";
import { NothingFound } from "#components/page/nothing-found.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { TableSkeleton } from "#components/page/table-skeleton.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { FirstRun } from "./first-run.tsx";
import { RunFilters } from "./run-filters.tsx";
import { runQueries } from "./run-queries.ts";
import { RunTable, runColumns } from "./run-table.tsx";

/** The page of all runs; it follows those that are going on. */
export function RunList() {
  const { read, change } = useUrlState();
  const [flowId, status, since] = [read("flow"), read("status"), read("since")];
  const runs = useQuery(runQueries.list(useApi(), { page: read("page"), flowId, status, since }));
  const filtered = flowId !== undefined || status !== undefined || since !== undefined;
  const untouched = runs.data?.pagination.total === 0 && !filtered;
  return (
    <>
      <PageHeader title="Runs" />
      {!untouched && <RunFilters flowId={flowId} status={status} since={since} onChange={change} />}
      {runs.isPending && <TableSkeleton heads={runColumns} widths={[90, 160, 60, 80, 60, 24, 24, 24]} />}
      {runs.isError && runs.data === undefined && (
        <FailureNotice what="The runs could not be loaded" error={runs.error} onRetry={() => void runs.refetch()} />
      )}
      {untouched && <FirstRun />}
      {runs.data && !untouched && runs.data.items.length === 0 && (
        <NothingFound
          what="No run matches these filters."
          onClear={() => change({ flow: null, status: null, since: null })}
        />
      )}
      {runs.data && runs.data.items.length > 0 && (
        <>
          <RunTable runs={runs.data.items} />
          <ListPager pagination={runs.data.pagination} onPage={(page) => change({ page: String(page) })} />
        </>
      )}
    </>
  );
}
