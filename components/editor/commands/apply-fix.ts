import { traitsIn } from "#components/canvas/flow-graph.ts";
import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import { type Command, identifyEdges } from "#lib/engine/changes/flow-draft.ts";
import { flowEdges, flowNodes, flowTrigger } from "#lib/engine/flow.ts";

/** Applies the fix of a piece of advice to what was checked. Unchanged parts stay the same objects. */
export function applyFix({ definition }: NonNullable<FlowAdvice["fix"]>, types: readonly NodeType[]): Command {
  const nodes = flowNodes.parse(definition.nodes);
  const edges = identifyEdges(nodes, flowEdges.parse(definition.edges), traitsIn(types));
  const trigger = flowTrigger.parse(definition.trigger);
  return (draft) => ({
    ...draft,
    trigger: isDeepEqual(trigger, draft.trigger) ? draft.trigger : trigger,
    nodes: keepUnchanged(nodes, draft.nodes),
    edges: keepUnchanged(edges, draft.edges),
  });
}

function keepUnchanged<Item extends { readonly id: string }>(
  after: readonly Item[],
  before: readonly Item[],
): readonly Item[] {
  const known = new Map(before.map((item) => [item.id, item]));
  const items = after.map((item) => {
    const old = known.get(item.id);
    return old !== undefined && isDeepEqual(old, item) ? old : item;
  });
  const isSame = items.length === before.length && items.every((item, index) => item === before[index]);
  return isSame ? before : items;
}
