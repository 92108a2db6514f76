import type { Metadata } from "next";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { FlowList } from "#components/flows/list/flow-list.tsx";
import { flowListQuery } from "#components/flows/list/flow-list-query.ts";
import { PageData, readerOf, type SearchParams } from "../page-data.tsx";

export const metadata: Metadata = { title: "Flows" };

export default async function FlowsPage({ searchParams }: { readonly searchParams: SearchParams }) {
  const query = flowListQuery(await readerOf(searchParams));
  return (
    <PageData
      read={(queries, api) =>
        Promise.all([queries.prefetchQuery(flowQueries.list(api, query)), queries.prefetchQuery(flowQueries.tags(api))])
      }
    >
      <FlowList />
    </PageData>
  );
}
