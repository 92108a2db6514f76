import { z } from "zod";
import { type FlowEdge, type FlowNode, flowEdges, flowNodes } from "./flow.ts";
import type { TraitsOf } from "./node-types.ts";

/** Nodes and edges that run together: a flow's, or a node's body. */
export interface FlowBody {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
}

export const flowBody = z.object(
  { nodes: flowNodes, edges: flowEdges.optional().default([]) },
  "must be {nodes, edges}",
);

/**
 * What a node runs for each of its items or steps: its `body`, or the single node that its type uses instead. Null if
 * its type has no body, or if the body is missing or malformed.
 */
export function bodyOf({ id, type, name, config }: FlowNode, traitsOf: TraitsOf): FlowBody | null {
  const traits = traitsOf(type);
  if (traits?.steps !== undefined) {
    return { nodes: [{ id, name, position: { x: 0, y: 0 }, type: traits.steps, config: {} }], edges: [] };
  }
  if (traits?.hasBody !== true) return null;
  if (config.body !== undefined && config.body !== null) return flowBody.safeParse(config.body).data ?? null;
  const instead = traits.bodyInstead?.(config) ?? null;
  return instead === null ? null : { nodes: [{ id, name, position: { x: 0, y: 0 }, ...instead }], edges: [] };
}

/** All nodes, including those in bodies at any depth. */
export function nodesWithin(nodes: readonly FlowNode[], traitsOf: TraitsOf): FlowNode[] {
  return nodes.flatMap((node) => [node, ...nodesWithin(bodyOf(node, traitsOf)?.nodes ?? [], traitsOf)]);
}

/** Carries the number of flows that called each other to get here, so that flows cannot call each other endlessly. */
export const depthHeader = "x-millrace-depth";
export const depthMax = 5;

/** The depth in a call's headers; 0 for a call from outside. */
export function depthOf(headers: Readonly<Record<string, string>>): number {
  const value = headers[depthHeader] ?? "";
  return /^\d{1,3}$/.test(value) ? Number(value) : 0;
}

/** True for a URL that looks like one of this service's trigger URLs, whatever its host. */
export function isTriggerUrl(url: string): boolean {
  return URL.canParse(url) && /^\/(api\/)?v1\/webhooks\/hook_/.test(new URL(url).pathname);
}
