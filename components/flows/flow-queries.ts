import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import { flowEdges, flowNodes } from "#lib/engine/flow.ts";

interface FlowListQuery {
  readonly page?: string | undefined;
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly tag?: string | undefined;
  readonly sortBy?: string | undefined;
  readonly order?: string | undefined;
}

/** Of more, the search has to be narrowed. */
const matchesMax = 50;
const recentPollMs = 10_000;

export const flowQueries = {
  list: (api: Api, query: FlowListQuery) =>
    queryOptions({
      queryKey: ["flows", "list", query],
      queryFn: ({ signal }) => api.callList("listFlows", { query: { ...query }, signal }),
      placeholderData: keepPreviousData,
    }),
  /** For choosing a flow: those that fit what is searched for, by name. */
  matching: (api: Api, search: string) =>
    queryOptions({
      queryKey: ["flows", "matching", search],
      queryFn: ({ signal }) =>
        api.callList("listFlows", { query: { search, limit: matchesMax, sortBy: "name", order: "asc" }, signal }),
      placeholderData: keepPreviousData,
      staleTime: 60_000,
    }),
  /** What a flow is called, of which no more is known than the id. */
  name: (api: Api, id: string) =>
    queryOptions({
      queryKey: ["flows", "name", id],
      queryFn: async ({ signal }) => (await api.call("readFlow", { params: { id }, signal })).name,
      enabled: id !== "",
      staleTime: 60_000,
    }),
  tags: (api: Api) =>
    queryOptions({
      queryKey: ["flows", "tags"],
      queryFn: ({ signal }) => api.call("listFlowTags", { signal }),
      staleTime: 60_000,
    }),
  /** How each of these flows went lately. */
  recentRuns: (api: Api, flowIds: readonly string[]) =>
    queryOptions({
      queryKey: ["runs", "recent", flowIds],
      queryFn: ({ signal }) => api.call("readRecent", { query: { flowIds: flowIds.join(",") }, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: recentPollMs,
    }),
  nodeTypes: (api: Api) =>
    queryOptions({
      queryKey: ["node-types"],
      queryFn: ({ signal }) => api.call("listNodeTypes", { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
};

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
