import { queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import { flowEdges, flowNodes } from "#lib/engine/flow.ts";
import { pendingSave } from "./pending-saves.ts";

/** A flow with its document read by the engine's own schemas. */
export type ReadFlow = Awaited<ReturnType<typeof fetchFlow>>;

async function fetchFlow(api: Api, id: string, signal: AbortSignal) {
  await pendingSave(id);
  const flow = await api.call("readFlow", { params: { id }, signal });
  return { ...flow, nodes: flowNodes.parse(flow.nodes), edges: flowEdges.parse(flow.edges) };
}

/** One flow whole, for the pages that draw it. */
export const readFlow = (api: Api, id: string) =>
  queryOptions({
    queryKey: ["flows", "one", id],
    queryFn: ({ signal }) => fetchFlow(api, id, signal),
  });
