// Separate from the other flow queries: the engine's schemas bring zod, which only pages that draw a flow need.
import { queryOptions } from "@tanstack/react-query";
import type { Api } from "#components/api/use-api.ts";
import { ApiError } from "#lib/contract/client.ts";
import type { ShownDraft } from "#lib/contract/flows/working-copy.ts";
import { flowEdges, flowNodes } from "#lib/engine/flow.ts";

const saves = new Map<string, Promise<unknown>>();

/** Tracks what a closing editor is still sending: the flow's next read waits for it. */
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

/** A flow whose document was parsed by the engine's own schemas. */
export type ReadFlow = Awaited<ReturnType<typeof fetchFlow>>;

async function fetchFlow(api: Api, id: string, signal: AbortSignal) {
  await pendingSave(id);
  const flow = await api.call("readFlow", { params: { id }, signal });
  return { ...flow, nodes: flowNodes.parse(flow.nodes), edges: flowEdges.parse(flow.edges) };
}

/** One complete flow, for the pages that draw it. */
export const readFlow = (api: Api, id: string) =>
  queryOptions({
    queryKey: ["flows", "one", id],
    queryFn: ({ signal }) => fetchFlow(api, id, signal),
  });

/** A flow's working copy; null if there is none. */
export async function fetchCopy(api: Api, id: string, signal?: AbortSignal): Promise<ShownDraft | null> {
  try {
    return await api.call("readDraft", { params: { id }, ...(signal && { signal }) });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** The same, for the editing page. */
export const readCopy = (api: Api, id: string) =>
  queryOptions({ queryKey: ["flows", "copy", id], queryFn: ({ signal }) => fetchCopy(api, id, signal) });

/** A version number, or the revision of an executed working copy. */
type VersionName = number | `draft-${number}`;

/** A version whose document was parsed by the engine's own schemas. */
export type ReadVersion = Awaited<ReturnType<typeof fetchFlowVersion>>;

async function fetchFlowVersion(api: Api, id: string, version: VersionName, signal: AbortSignal) {
  const found = await api.call("readFlowVersion", { params: { id, version: String(version) }, signal });
  return { ...found, nodes: flowNodes.parse(found.nodes), edges: flowEdges.parse(found.edges) };
}

/** A flow as it was in one version. Versions are immutable, so it is requested once. */
export const readFlowVersion = (api: Api, id: string, version: VersionName) =>
  queryOptions({
    queryKey: ["flows", "version", id, version],
    queryFn: ({ signal }) => fetchFlowVersion(api, id, version, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
