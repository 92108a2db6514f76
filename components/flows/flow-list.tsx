"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { LinkButton } from "#components/page/link-button.tsx";
import { ListPager } from "#components/page/list-pager.tsx";
import { NothingFound } from "#components/page/nothing-found.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { TableSkeleton } from "#components/page/table-skeleton.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { FirstFlow } from "./first-flow.tsx";
import { FlowFilters } from "./flow-filters.tsx";
import { flowQueries } from "./flow-queries.ts";
import { FlowTable, flowColumns } from "./flow-table.tsx";

/** The page of all flows. */
export function FlowList() {
  const { read, change } = useUrlState();
  const [search, status, sort] = [read("search"), read("status"), read("sort")];
  const [sortBy, order] = sort?.split("-") ?? [];
  const flows = useQuery(flowQueries.list(useApi(), { page: read("page"), search, status, sortBy, order }));
  const filtered = search !== undefined || status !== undefined;
  const untouched = flows.data?.pagination.total === 0 && !filtered;
  return (
    <>
      <PageHeader title="Flows" actions={<LinkButton href="/flows/new">New flow</LinkButton>} />
      {!untouched && <FlowFilters search={search} status={status} sort={sort} onChange={change} />}
      {flows.isPending && <TableSkeleton heads={flowColumns} widths={[180, 70, 80, 90, 70, 40]} />}
      {flows.isError && flows.data === undefined && (
        <FailureNotice what="The flows could not be loaded" error={flows.error} onRetry={() => void flows.refetch()} />
      )}
      {untouched && <FirstFlow />}
      {flows.data && !untouched && flows.data.items.length === 0 && (
        <NothingFound
          what="No flow matches what you are looking for."
          onClear={() => change({ search: null, status: null })}
        />
      )}
      {flows.data && flows.data.items.length > 0 && (
        <>
          <FlowTable flows={flows.data.items} />
          <ListPager pagination={flows.data.pagination} onPage={(page) => change({ page: String(page) })} />
        </>
      )}
    </>
  );
}
