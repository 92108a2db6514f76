import type { TouchedFlow } from "#lib/contract/service-imports.ts";
import { callingFlows } from "./calling-flows.ts";

/** The flows whose nodes, live or in a working copy, call operations that are gone or changed. */
export async function touchedFlows(
  workspaceId: string,
  serviceId: string,
  changes: { readonly removed: readonly string[]; readonly changed: readonly string[] },
): Promise<TouchedFlow[]> {
  if (changes.removed.length + changes.changed.length === 0) return [];
  const [removed, changed] = [new Set(changes.removed), new Set(changes.changed)];
  const touched: TouchedFlow[] = [];
  for await (const { id: flowId, name: flowName, live, draft } of callingFlows(workspaceId, serviceId)) {
    const nodes = new Map<string, TouchedFlow["nodes"][number]>();
    for (const { id, operation } of [...live, ...draft]) {
      const change = removed.has(operation) ? "removed" : changed.has(operation) ? "changed" : null;
      if (change !== null) nodes.set(id, { id, operation, change });
    }
    if (nodes.size > 0) touched.push({ flowId, flowName, nodes: [...nodes.values()] });
  }
  return touched;
}
