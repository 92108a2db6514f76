"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { useRemaining } from "#components/deletion/use-remaining.ts";
import { RunTable, runColumns } from "#components/executions/run-table.tsx";
import { DataTableSkeleton } from "#components/page/data-table.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { ListPager } from "#components/page/list-pager.tsx";
import { NothingFound } from "#components/page/nothing-found.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { runQueries } from "../run-queries.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { FirstRun } from "./first-run.tsx";
import { filterChange, isFiltered, readFilter } from "./run-filter.ts";
import { RunFilters } from "./run-filters.tsx";
import { SavedFilters } from "./saved-filters.tsx";

/** The page of all runs; it follows what happens. */
export function RunList() {
  const { read, change } = useUrlState();
  const filter = readFilter(read);
  const sort = read("sort");
  const runs = useRemaining(useQuery(runQueries.list(useApi(), { ...filter, page: read("page"), sort })));
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const untouched = runs.data?.pagination.total === 0 && !isFiltered(filter);
  return (
    <>
      <PageHeader
        title="Runs"
        actions={!untouched && <SavedFilters filter={filter} onApply={(saved) => change(filterChange(saved))} />}
      />
      {!untouched && <RunFilters filter={filter} sort={sort} onChange={change} />}
      {runs.isPending && <DataTableSkeleton columns={runColumns(true)} hasTicks rows={8} />}
      {runs.isError && runs.data === undefined && (
        <FailureNotice what="The runs could not be loaded" error={runs.error} onRetry={() => void runs.refetch()} />
      )}
      {untouched && <FirstRun />}
      {runs.data && !untouched && runs.data.items.length === 0 && (
        <NothingFound what="No run matches these filters." onClear={() => change(filterChange())} />
      )}
      {runs.data && runs.data.items.length > 0 && (
        <>
          <BulkBar
            chosen={chosen}
            filter={filter}
            total={runs.data.pagination.total}
            onClear={() => choose(new Set())}
          />
          <RunTable runs={runs.data.items} chosen={chosen} onChoose={choose} />
          <ListPager pagination={runs.data.pagination} onPage={(page) => change({ page: String(page) })} />
        </>
      )}
    </>
  );
}
