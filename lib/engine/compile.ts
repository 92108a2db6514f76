import type { Branches } from "./branches.ts";
import type { FlowNode } from "./flow.ts";
import { triggerSource } from "./flow.ts";
import { bodyOf, type FlowBody } from "./flow-body.ts";
import type { TraitsOf } from "./node-types.ts";
import { errorHandle } from "./outcome.ts";

export interface GraphEdge {
  readonly source: string;
  readonly target: string;
  readonly handle: string | null;
}

export interface GraphNode {
  readonly node: FlowNode;
  /** Position in the flow's list of nodes. */
  readonly index: number;
  readonly incoming: readonly GraphEdge[];
  readonly outgoing: readonly GraphEdge[];
  /** True if a failure follows an edge instead of failing the run. */
  readonly catches: boolean;
  /** True if it ends the run, at any depth. */
  readonly ends: boolean;
  /** The graph that runs for each of its items; null for a node without a body. */
  readonly body: Graph | null;
}

/** A version prepared for running: nodes by id, in topological order. */
export interface Graph {
  readonly order: readonly GraphNode[];
  readonly byId: ReadonlyMap<string, GraphNode>;
}

/** Compiles a valid definition (`findGraphProblems`) with its settled edges. */
export function compileGraph(definition: FlowBody, branches: Branches, traitsOf: TraitsOf): Graph {
  const incoming = new Map<string, GraphEdge[]>(definition.nodes.map((node) => [node.id, []]));
  const outgoing = new Map<string, GraphEdge[]>(definition.nodes.map((node) => [node.id, []]));
  definition.edges.forEach((edge, index) => {
    const made = { source: edge.source, target: edge.target, handle: branches.handles[index] ?? null };
    incoming.get(edge.target)?.push(made);
    outgoing.get(edge.source)?.push(made);
  });
  const byId = new Map<string, GraphNode>();
  definition.nodes.forEach((node, index) => {
    const leaving = outgoing.get(node.id) ?? [];
    byId.set(node.id, {
      node,
      index,
      incoming: incoming.get(node.id) ?? [],
      outgoing: leaving,
      catches: leaving.some((edge) => edge.handle === errorHandle),
      ends: traitsOf(node.type)?.ends === true,
      body: compileBody(node, branches, traitsOf),
    });
  });
  return { order: sortByDependency(byId), byId };
}

function compileBody(node: FlowNode, { bodies }: Branches, traitsOf: TraitsOf): Graph | null {
  const body = bodyOf(node, traitsOf);
  const branches = bodies?.[node.id];
  return body === null || branches === undefined ? null : compileGraph(body, branches, traitsOf);
}

function sortByDependency(byId: ReadonlyMap<string, GraphNode>): GraphNode[] {
  const waiting = new Map<string, number>();
  const order: GraphNode[] = [];
  for (const [id, node] of byId) {
    const parents = node.incoming.filter((edge) => edge.source !== triggerSource).length;
    waiting.set(id, parents);
    if (parents === 0) order.push(node);
  }
  for (const node of order) {
    for (const edge of node.outgoing) {
      const left = (waiting.get(edge.target) ?? 0) - 1;
      waiting.set(edge.target, left);
      const target = byId.get(edge.target);
      if (left === 0 && target !== undefined) order.push(target);
    }
  }
  return order;
}

/** Ids of all nodes that this one depends on, nearest first: the only nodes whose outputs it sees. */
export function ancestorsOf(graph: Graph, id: string): string[] {
  const found = new Set<string>();
  let level = [id];
  while (level.length > 0) {
    const next: string[] = [];
    for (const at of level) {
      for (const edge of graph.byId.get(at)?.incoming ?? []) {
        if (edge.source === triggerSource || found.has(edge.source)) continue;
        found.add(edge.source);
        next.push(edge.source);
      }
    }
    level = next;
  }
  return [...found];
}

/** Ids of the node and of everything after it. */
export function descendantsOf(graph: Graph, id: string): Set<string> {
  const found = new Set([id]);
  for (const at of found) for (const edge of graph.byId.get(at)?.outgoing ?? []) found.add(edge.target);
  return found;
}
