import type { Metadata } from "next";
import { alertQueries } from "#components/alerts/alert-queries.ts";
import { Overview } from "#components/overview/overview.tsx";
import { overviewQueries, periodOf } from "#components/overview/overview-queries.ts";
import { PageData, readerOf, type SearchParams } from "./page-data.tsx";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage({ searchParams }: { readonly searchParams: SearchParams }) {
  const read = await readerOf(searchParams);
  const flow = read("flow");
  return (
    <PageData
      read={(queries, api) =>
        Promise.all([
          queries.prefetchQuery(overviewQueries.figures(api, flow, periodOf(read("period")))),
          queries.prefetchQuery(alertQueries.alerts(api, undefined)),
          queries.prefetchQuery(overviewQueries.approvals(api)),
          queries.prefetchQuery(overviewQueries.live(api)),
          queries.prefetchQuery(overviewQueries.running(api, flow)),
        ])
      }
    >
      <Overview />
    </PageData>
  );
}
