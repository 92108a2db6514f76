import type { Graph } from "#lib/engine/compile.ts";

/** A node, or one end of a loop, in the order in which results depend on each other. */
export interface NodePart {
  readonly nodeId: string;
  /** A loop's items come before its body, and its result after it. */
  readonly part: "whole" | "items" | "end";
  /** The loops around it, outermost first. */
  readonly within: readonly string[];
}

/** A flow's nodes, each after those that it depends on. */
export function partsOf(graph: Graph, within: readonly string[] = []): NodePart[] {
  return graph.order.flatMap(({ node: { id: nodeId }, body }): NodePart[] => {
    if (body === null) return [{ nodeId, part: "whole", within }];
    // In a loop over a flow, the node that runs the flow has the loop's own id.
    const inner = partsOf(body, [...within, nodeId]).filter((part) => part.nodeId !== nodeId);
    return [{ nodeId, part: "items", within }, ...inner, { nodeId, part: "end", within }];
  });
}
