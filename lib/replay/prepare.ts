import { settleBranches } from "#lib/engine/branches.ts";
import { compileGraph, type Graph } from "#lib/engine/compile.ts";
import type { FlowDefinition, FlowNode } from "#lib/engine/flow.ts";
import { type JsonText, jsonText } from "#lib/engine/outcome.ts";
import type { ConfigPlan } from "#lib/expressions/expressions.ts";
import { nodeTypes, planNodeConfig } from "#lib/nodes/registry.ts";

/** A flow prepared for replays. A compiled version is one. */
export interface Replayable {
  readonly graph: Graph;
  readonly variables: JsonText;
  readonly plan: (node: FlowNode) => ConfigPlan;
}

/** Prepares a definition whose graph is valid. */
export function prepareReplay({ nodes, edges, variables }: FlowDefinition): Replayable {
  const { traits } = nodeTypes;
  const plans = new Map<FlowNode, ConfigPlan>();
  return {
    graph: compileGraph({ nodes, edges }, settleBranches(nodes, edges, traits), traits),
    variables: jsonText(variables),
    plan: (node) => {
      const made = plans.get(node) ?? planNodeConfig(node.type, node.config);
      plans.set(node, made);
      return made;
    },
  };
}

/** A flow's nodes, each followed by those of its body. */
export function nodesOfGraph(graph: Graph): FlowNode[] {
  return graph.order.flatMap(({ node, body }) => [node, ...(body === null ? [] : nodesOfGraph(body))]);
}

/** Whether a node's expressions read files, whose content is not recorded. */
export function readsFiles(plan: ConfigPlan): boolean {
  return plan.evaluated.some(({ fileReads }) => fileReads.length > 0);
}

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
