// Apart from the other queries of flows: with the engine's schemas comes zod, which only pages that draw a flow need.
import { queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import { flowEdges, flowNodes } from "#lib/engine/flow.ts";

const saves = new Map<string, Promise<unknown>>();

/** What an editor that is being left still sends: whoever reads the flow next waits for it. */
export function noteSave(flowId: string, save: Promise<unknown>): void {
  saves.set(flowId, save);
  void save.finally(() => {
    if (saves.get(flowId) === save) saves.delete(flowId);
  });
}

/** Resolves when nothing of the flow is being sent any more. */
async function pendingSave(flowId: string): Promise<void> {
  await saves.get(flowId);
}

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
