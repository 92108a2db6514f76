/** The parts of an edge that determine its order. */
export interface Ends {
  readonly source: string;
  readonly target: string;
}

/**
 * The canonical order of a graph's edges: by source, in the order of `sources`, while edges into one node and out of
 * one source keep their order. `incoming`: the order of each target's edges. Null if no order satisfies all of this.
 */
export function orderEdges<Edge extends Ends>(
  bySource: ReadonlyMap<string, readonly Edge[]>,
  incoming: ReadonlyMap<string, readonly Edge[]>,
): Edge[] | null {
  const before = new Map<Edge, Edge[]>();
  for (const chain of [...bySource.values(), ...incoming.values()]) {
    chain.forEach((edge, index) => {
      const previous = chain[index - 1];
      const list = before.get(edge) ?? [];
      if (previous !== undefined) list.push(previous);
      before.set(edge, list);
    });
  }
  const ordered: Edge[] = [];
  const state = new Map<Edge, "open" | "done">();
  for (const next of [...bySource.values()].flat()) {
    // Predecessors are placed first, iteratively: chains may be as long as there are edges.
    const stack = [next];
    for (let edge = stack.at(-1); edge !== undefined; edge = stack.at(-1)) {
      if (state.get(edge) === "done") {
        stack.pop();
        continue;
      }
      const missing = (before.get(edge) ?? []).filter((earlier) => state.get(earlier) !== "done");
      if (missing.some((earlier) => state.get(earlier) === "open")) return null;
      if (missing.length > 0) {
        state.set(edge, "open");
        stack.push(...missing.reverse());
      } else {
        state.set(edge, "done");
        ordered.push(edge);
        stack.pop();
      }
    }
  }
  return ordered;
}

/** The edges of each target, in their order. */
export function byTarget<Edge extends Ends>(edges: Iterable<Edge>): Map<string, Edge[]> {
  const all = new Map<string, Edge[]>();
  for (const edge of edges) {
    const list = all.get(edge.target);
    if (list === undefined) all.set(edge.target, [edge]);
    else list.push(edge);
  }
  return all;
}
