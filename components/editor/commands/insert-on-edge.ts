import type { FlowNode } from "#lib/engine/flow.ts";
import { handleOf } from "#lib/engine/graph.ts";
import type { Command } from "../draft/flow-draft.ts";
import { freshEdge } from "./connect.ts";

/** What an edge that is not stored stands for: the trigger leads to every node that nothing else leads to. */
export interface ImpliedEdge {
  readonly source: string;
  readonly target: string;
}

/**
 * Puts a node between the ends of an edge: what led to the target leads to the node, which leads on by `handle`.
 * The node may be new or in the flow already.
 */
export function insertOnEdge(node: FlowNode, edge: string | ImpliedEdge, handle: string | null): Command {
  return (draft) => {
    const isThere = draft.nodes.some((other) => other.id === node.id);
    const nodes = isThere ? draft.nodes : [...draft.nodes, node];
    if (typeof edge !== "string") {
      return {
        ...draft,
        nodes,
        edges: [...draft.edges, freshEdge({ source: node.id, handle, target: edge.target }, draft.edges)],
      };
    }
    const found = draft.edges.find((other) => other.id === edge);
    if (found === undefined) return { ...draft, nodes };
    const others = draft.edges.filter((other) => other !== found);
    const first = freshEdge({ source: found.source, handle: handleOf(found), target: node.id }, others);
    const second = freshEdge({ source: node.id, handle, target: found.target }, [...others, first]);
    return { ...draft, nodes, edges: draft.edges.flatMap((other) => (other === found ? [first, second] : [other])) };
  };
}
