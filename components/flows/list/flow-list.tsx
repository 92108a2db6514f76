"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { useRemaining } from "#components/deletion/use-remaining.ts";
import { DataTableSkeleton } from "#components/page/data-table.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { LinkButton } from "#components/page/link-button.tsx";
import { ListPager } from "#components/page/list-pager.tsx";
import { NothingFound } from "#components/page/nothing-found.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { flowQueries } from "../flow-queries.ts";
import { FirstFlow } from "./first-flow.tsx";
import { FlowBulkBar } from "./flow-bulk-bar.tsx";
import { FlowFilters } from "./flow-filters.tsx";
import { FlowTable, flowColumns } from "./flow-table.tsx";
import { ImportFlow } from "./import-flow.tsx";
import { TagFolders } from "./tag-folders.tsx";

/** The page of all flows. */
export function FlowList() {
  const { read, change } = useUrlState();
  const [search, status, sort, tag] = [read("search"), read("status"), read("sort"), read("tag")];
  const [sortBy, order] = sort?.split("-") ?? [];
  const flows = useRemaining(
    useQuery(flowQueries.list(useApi(), { page: read("page"), search, status, tag, sortBy, order })),
  );
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const filtered = search !== undefined || status !== undefined || tag !== undefined;
  const untouched = flows.data?.pagination.total === 0 && !filtered;
  return (
    <>
      <PageHeader
        title="Flows"
        actions={
          <>
            <ImportFlow />
            <LinkButton href="/flows/new" isSecond={untouched} scope="flows:write">
              New flow
            </LinkButton>
          </>
        }
      />
      {!untouched && <FlowFilters search={search} status={status} sort={sort} onChange={change} />}
      {!untouched && <TagFolders chosen={tag} onChoose={(name) => change({ tag: name })} />}
      {flows.isPending && <DataTableSkeleton columns={flowColumns(() => undefined)} hasTicks rows={8} />}
      {flows.isError && flows.data === undefined && (
        <FailureNotice what="The flows could not be loaded" error={flows.error} onRetry={() => void flows.refetch()} />
      )}
      {untouched && <FirstFlow />}
      {flows.data && !untouched && flows.data.items.length === 0 && (
        <NothingFound
          what="No flow matches what you are looking for."
          onClear={() => change({ search: null, status: null, tag: null })}
        />
      )}
      {flows.data && flows.data.items.length > 0 && (
        <>
          <FlowTable flows={flows.data.items} chosen={chosen} onChoose={choose} />
          <FlowBulkBar flows={flows.data.items.filter(({ id }) => chosen.has(id))} onClear={() => choose(new Set())} />
          <ListPager pagination={flows.data.pagination} onPage={(page) => change({ page: String(page) })} />
        </>
      )}
    </>
  );
}
