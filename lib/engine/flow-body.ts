import { z } from "zod";
import { type FlowEdge, type FlowNode, flowEdges, flowNodes } from "./flow.ts";

/** Nodes and edges that run together: a flow's own, or what a loop does for each item. */
export interface FlowBody {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
}

/** The node type that has a body. */
export const loopType = "loop";

export const flowBody = z.object(
  { nodes: flowNodes, edges: flowEdges.optional().default([]) },
  "must be {nodes, edges}",
);

/**
 * What a loop runs for each item: its `body`, or, with a `flowId`, one node that runs that flow with the item as its
 * data. Null for any other node, and for a loop with neither or with a body that is not well-formed.
 */
export function bodyOf({ id, type, name, config }: FlowNode): FlowBody | null {
  if (type !== loopType) return null;
  if (config.body !== undefined && config.body !== null) return flowBody.safeParse(config.body).data ?? null;
  if (config.flowId === undefined || config.flowId === null) return null;
  const runsFlow = { id, type: "sub-flow", name, position: { x: 0, y: 0 } };
  return { nodes: [{ ...runsFlow, config: { flowId: config.flowId, data: "{{ $item }}" } }], edges: [] };
}

/** All nodes, those of loops' bodies at any depth included. */
export function nodesWithin(nodes: readonly FlowNode[]): FlowNode[] {
  return nodes.flatMap((node) => [node, ...nodesWithin(bodyOf(node)?.nodes ?? [])]);
}

/** How many flows called one another to get here; flows may call each other's trigger URLs, but not without end. */
export const depthHeader = "x-millrace-depth";
export const depthMax = 5;

/** The depth that a call's headers tell; 0 for one from outside. */
export function depthOf(headers: Readonly<Record<string, string>>): number {
  const told = headers[depthHeader] ?? "";
  return /^\d{1,3}$/.test(told) ? Number(told) : 0;
}

/** True for an address that looks like a trigger URL of this service, under whatever name it is reached. */
export function isTriggerUrl(url: string): boolean {
  return URL.canParse(url) && /^\/(api\/)?v1\/webhooks\/hook_/.test(new URL(url).pathname);
}
