import type { ShownExecution } from "#lib/contract/executions/executions.ts";

/** The editor's URL for a run's flow, with the run's data; `nodeId`: the node to open. */
export function editorAddress({ id, flowId }: Pick<ShownExecution, "id" | "flowId">, nodeId?: string): string {
  const query = new URLSearchParams({ ...(nodeId !== undefined && { node: nodeId }), run: id });
  return `/flows/${flowId}?${query}`;
}
