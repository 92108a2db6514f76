import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { levelAt } from "../levels/level.ts";

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

/** What a node's expressions can read from other nodes. */
interface Readable {
  /** The node that `$node` reads; in a loop's body, the loop stands for its item. */
  readonly before: string;
  /** Nearest first, including those before the surrounding loops. */
  readonly ancestors: readonly string[];
  /** Those that run once per item, and the loop if it is `$node`. */
  readonly inBodies: readonly string[];
}

/** What can be read from a node of the level at `within`. */
export function readableFrom(
  draft: FlowDraft,
  within: readonly string[],
  id: string,
  types: readonly NodeType[],
): Readable {
  const level = levelAt(draft, within, types);
  const own = nodesBefore(level, id);
  const loopId = within.at(-1);
  const source = nodeBefore(level, id);
  if (loopId === undefined) return { before: source, ancestors: own, inBodies: [] };
  const outer = readableFrom(draft, within.slice(0, -1), loopId, types);
  const before = source === triggerSource ? loopId : source;
  const inOuterBodies = outer.inBodies.filter((nodeId) => outer.ancestors.includes(nodeId));
  return { before, ancestors: [...own, ...outer.ancestors], inBodies: [...own, ...inOuterBodies, loopId] };
}
