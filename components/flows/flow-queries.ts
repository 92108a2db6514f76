import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call, callList } from "#lib/contract/client.ts";
import { listFlows, readFlow } from "#lib/contract/flows.ts";
import { listNodeTypes } from "#lib/contract/node-types.ts";
import { flowEdges, flowNodes } from "#lib/engine/flow.ts";

/** A flow with its document read by the engine's own schemas. */
export type ReadFlow = Awaited<ReturnType<typeof fetchFlow>>;

async function fetchFlow(id: string, signal: AbortSignal) {
  const flow = await call(readFlow, { params: { id }, signal });
  return { ...flow, nodes: flowNodes.parse(flow.nodes), edges: flowEdges.parse(flow.edges) };
}

export interface FlowListQuery {
  readonly page?: string | undefined;
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly sortBy?: string | undefined;
  readonly order?: string | undefined;
}

export const flowQueries = {
  list: (query: FlowListQuery) =>
    queryOptions({
      queryKey: ["flows", "list", query],
      queryFn: ({ signal }) => callList(listFlows, { query: { ...query }, signal }),
      placeholderData: keepPreviousData,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ["flows", "one", id],
      queryFn: ({ signal }) => fetchFlow(id, signal),
    }),
  /** For choosing a flow by its name. */
  names: () =>
    queryOptions({
      queryKey: ["flows", "names"],
      queryFn: ({ signal }) => callList(listFlows, { query: { limit: 100, sortBy: "name", order: "asc" }, signal }),
      staleTime: 60_000,
    }),
  nodeTypes: () =>
    queryOptions({
      queryKey: ["node-types"],
      queryFn: ({ signal }) => call(listNodeTypes, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
