import type { Metadata } from "next";
import { readFilter } from "#components/executions/list/run-filter.ts";
import { RunList } from "#components/executions/list/run-list.tsx";
import { runQueries } from "#components/executions/run-queries.ts";
import { PageData, readerOf, type SearchParams } from "../page-data.tsx";

export const metadata: Metadata = { title: "Runs" };

export default async function RunsPage({ searchParams }: { readonly searchParams: SearchParams }) {
  const read = await readerOf(searchParams);
  const query = { ...readFilter(read), page: read("page"), sort: read("sort") };
  return (
    <PageData read={(queries, api) => queries.prefetchQuery(runQueries.list(api, query))}>
      <RunList />
    </PageData>
  );
}
