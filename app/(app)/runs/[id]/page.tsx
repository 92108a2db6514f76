import type { QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { preload } from "react-dom";
import type { Api } from "#components/api/use-api.ts";
import { FirstPicture } from "#components/canvas/first-picture.tsx";
import { RunView } from "#components/executions/page/run-view.tsx";
import { runQueries, versionThatRan } from "#components/executions/run-queries.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { readFlowVersion } from "#components/flows/read-flow.ts";
import { isLive } from "#components/status/run-status.tsx";
import { nodeManifests } from "#lib/nodes/registry.ts";
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
      {(queries, api) => <RunView id={id} firstPicture={firstPicture(id, queries, api)} />}
    </PageData>
  );
}

/** The run's picture, made from the data read so far; null if some is missing. */
function firstPicture(id: string, queries: QueryClient, api: Api) {
  const run = queries.getQueryData(runQueries.one(api, id).queryKey);
  if (run === undefined) return null;
  const flow = queries.getQueryData(readFlowVersion(api, run.flowId, versionThatRan(run)).queryKey);
  if (flow === undefined) return null;
  const runs = new Map(run.nodes.map((node) => [node.nodeId, node]));
  return <FirstPicture flow={flow} types={nodeManifests()} runs={runs} live={isLive(run.status)} />;
}
