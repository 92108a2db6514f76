import { z } from "zod";
import { type FlowEdge, type FlowNode, flowEdges, flowNodes } from "./flow.ts";
import type { TraitsOf } from "./node-types.ts";

/** Nodes and edges that run together: a flow's own, or what a node does for each of its items. */
export interface FlowBody {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
}

export const flowBody = z.object(
  { nodes: flowNodes, edges: flowEdges.optional().default([]) },
  "must be {nodes, edges}",
);

/**
 * What a node runs for each of its items: its `body`, or the one node that its type takes instead. Null for a node of a
 * type without bodies, and for one with neither or with a body that is not well-formed.
 */
export function bodyOf({ id, type, name, config }: FlowNode, traitsOf: TraitsOf): FlowBody | null {
  const traits = traitsOf(type);
  if (traits?.hasBody !== true) return null;
  if (config.body !== undefined && config.body !== null) return flowBody.safeParse(config.body).data ?? null;
  const instead = traits.bodyInstead?.(config) ?? null;
  return instead === null ? null : { nodes: [{ id, name, position: { x: 0, y: 0 }, ...instead }], edges: [] };
}

/** All nodes, those of bodies at any depth included. */
export function nodesWithin(nodes: readonly FlowNode[], traitsOf: TraitsOf): FlowNode[] {
  return nodes.flatMap((node) => [node, ...nodesWithin(bodyOf(node, traitsOf)?.nodes ?? [], traitsOf)]);
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
