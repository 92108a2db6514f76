import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import type { PlannedNode } from "#lib/flows/plan-nodes.ts";
import { nodeDefinition } from "#lib/nodes/registry.ts";
import { type AdvisedFlow, adviceOf } from "./advised-flow.ts";

/** Computed values that nothing reads. */
export function unusedOutputs(flow: AdvisedFlow): FlowAdvice[] {
  const byId = new Map(flow.own.map((planned) => [planned.node.id, planned]));
  const read = readByName(flow.planned);
  if (read === null) return [];
  return flow.own.flatMap((planned) => {
    const { id, type } = planned.node;
    const after = flow.edgesFrom(id).map(({ target }) => byId.get(target));
    const { family, ignoresInput } = nodeDefinition(type) ?? {};
    // Code may exist for what it throws.
    const isMade = family === "data" && ignoresInput === true && planned.plan.code.length === 0;
    if (!isMade || after.length === 0 || read.has(id) || after.some((next) => next === undefined || readsInput(next)))
      return [];
    const message = "has a result that nothing reads";
    return [adviceOf(planned, "UNUSED_OUTPUT", "info", message)];
  });
}

/** Whether a node uses the previous node's output. */
function readsInput({ node, plan }: PlannedNode): boolean {
  const named = [...plan.code, ...plan.expressions].some(({ expression }) => expression.names.includes("$node"));
  return named || nodeDefinition(node.type)?.ignoresInput !== true;
}

/** Ids read as `$nodes['id']`; null if an expression may read any. */
function readByName(planned: readonly PlannedNode[]): ReadonlySet<string> | null {
  const found = new Set<string>();
  for (const { plan } of planned) {
    for (const { expression } of [...plan.code, ...plan.expressions]) {
      if (expression.nodeIds === null) return null;
      for (const id of expression.nodeIds) found.add(id);
    }
  }
  return found;
}
