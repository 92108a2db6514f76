import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";

/** The nodes that run before one, nearest first: those whose outputs it can read. */
export function nodesBefore({ nodes, edges }: FlowDraft, id: string): string[] {
  const incoming = Map.groupBy(edges, (edge) => edge.target);
  const known = new Set(nodes.map((node) => node.id));
  const found = new Set<string>();
  let reached = [id];
  while (reached.length > 0) {
    const sources = reached.flatMap((target) => (incoming.get(target) ?? []).map((edge) => edge.source));
    reached = [...new Set(sources)].filter((source) => known.has(source) && source !== id && !found.has(source));
    for (const source of reached) found.add(source);
  }
  return [...found];
}

/** The node behind `$node`: the source of the first edge that leads here, else the trigger. */
export function nodeBefore({ edges }: Pick<FlowDraft, "edges">, id: string): string {
  return edges.find((edge) => edge.target === id)?.source ?? triggerSource;
}
