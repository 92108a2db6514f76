import { queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import { flowEdges, flowNodes } from "#lib/engine/flow.ts";

/** A version with its document read by the engine's own schemas. */
export type ReadVersion = Awaited<ReturnType<typeof fetchFlowVersion>>;

async function fetchFlowVersion(api: Api, id: string, version: number, signal: AbortSignal) {
  const found = await api.call("readFlowVersion", { params: { id, version: String(version) }, signal });
  return { ...found, nodes: flowNodes.parse(found.nodes), edges: flowEdges.parse(found.edges) };
}

/** A flow as it was in one version. What a version holds never changes, so it is asked for once. */
export const readFlowVersion = (api: Api, id: string, version: number) =>
  queryOptions({
    queryKey: ["flows", "version", id, version],
    queryFn: ({ signal }) => fetchFlowVersion(api, id, version, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
