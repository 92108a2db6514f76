import type { Metadata } from "next";
import { preload } from "react-dom";
import { RunView } from "#components/executions/page/run-view.tsx";
import { runQueries, versionThatRan } from "#components/executions/run-queries.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { readFlowVersion } from "#components/flows/read-flow.ts";
import { PageData } from "../../page-data.tsx";

export const metadata: Metadata = { title: "Run" };

export default async function RunPage({ params }: { readonly params: Promise<{ id: string }> }) {
  const { id } = await params;
  preload("/api/v1/node-types", { as: "fetch", crossOrigin: "anonymous" });
  return (
    <PageData
      read={async (queries, api) => {
        const run = await queries.fetchQuery(runQueries.one(api, id));
        await Promise.all([
          queries.prefetchQuery(readFlowVersion(api, run.flowId, versionThatRan(run))),
          queries.prefetchQuery(flowQueries.isThere(api, run.flowId)),
        ]);
      }}
    >
      <RunView id={id} />
    </PageData>
  );
}
