import type { ShownExecution } from "#lib/contract/executions/executions.ts";

/** Where a run's flow is edited, with the run's data; `nodeId`: the node that is opened. */
export function editorAddress({ id, flowId }: Pick<ShownExecution, "id" | "flowId">, nodeId?: string): string {
  const query = new URLSearchParams({ ...(nodeId !== undefined && { node: nodeId }), run: id });
  return `/flows/${flowId}?${query}`;
}
