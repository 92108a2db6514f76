import type { Graph } from "#lib/engine/compile.ts";
import type { RecordedStep } from "./recorded-steps.ts";
import type { RecordedGraph } from "./why-skipped.ts";

/** One graph of a run as it ran: the flow's own, or a loop's body in one iteration. */
export interface Part extends RecordedGraph {
  readonly iteration: string | null;
  /** Its position in the run: the ranks of the loops around it, each with its iteration. */
  readonly place: readonly number[];
}

/** The flow's own graph, and the body of every loop for each recorded iteration. */
export function partsOf(graph: Graph, steps: readonly RecordedStep[]): Part[] {
  const found: Part[] = [];
  const bodies = iterationsOf(graph, steps);
  const add = (of: Graph, iteration: string | null, place: readonly number[], own: readonly RecordedStep[]) => {
    found.push({ graph: of, steps: new Map(own.map((step) => [step.nodeId, step])), iteration, place });
    for (const [rank, { body }] of of.order.entries()) {
      if (body === null) continue;
      for (const [inner, steps] of bodies.get(body)?.get(iteration) ?? []) {
        add(body, inner, [...place, rank, Number(inner.split(".").at(-1))], steps);
      }
    }
  };
  const own = steps.filter(({ iteration }) => iteration === null);
  add(graph, null, [], own);
  return found;
}

/** Steps by iteration. */
type Iterations = Map<string, RecordedStep[]>;

/** The steps in loops: by the body that they belong to, the enclosing iteration, and their own iteration. */
function iterationsOf(graph: Graph, steps: readonly RecordedStep[]): Map<Graph, Map<string | null, Iterations>> {
  const graphs = graphsByNode(graph);
  const found = new Map<Graph, Map<string | null, Iterations>>();
  for (const step of steps) {
    const { nodeId, iteration } = step;
    const body = graphs.get(nodeId);
    if (iteration === null || body === undefined) continue;
    const parent = iteration.includes(".") ? iteration.slice(0, iteration.lastIndexOf(".")) : null;
    const byLoop = ensure(found, body, () => new Map<string | null, Iterations>());
    const iterations = ensure(byLoop, parent, (): Iterations => new Map());
    ensure(iterations, iteration, () => []).push(step);
  }
  return found;
}

/** The graph that each node belongs to. Ids are unique in a flow, bodies included. */
function graphsByNode(graph: Graph): Map<string, Graph> {
  const graphs = new Map<string, Graph>();
  const add = (of: Graph) => {
    for (const [id, { body }] of of.byId) {
      graphs.set(id, of);
      if (body !== null) add(body);
    }
  };
  add(graph);
  return graphs;
}

function ensure<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}
