import { settleBranches } from "#lib/engine/branches.ts";
import { type FlowDefinition, type FlowTrigger, isCalledTrigger } from "#lib/engine/flow.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";

/** A trigger in stored form: without the generated URL; a webhook with its method. */
export function storedTrigger(trigger: FlowTrigger): FlowTrigger {
  if (!isCalledTrigger(trigger.type)) return trigger;
  const { url: _, ...config } = trigger.config;
  return { ...trigger, config: trigger.type === "webhook" ? { method: "POST", ...config } : config };
}

/** The columns of a version: the document, and its branches, settled once. */
export function versionColumns(definition: FlowDefinition): { definition: string; branches: string } {
  const branches = settleBranches(definition.nodes, definition.edges, nodeTypes.traits);
  return { definition: JSON.stringify(definition), branches: JSON.stringify(branches) };
}

/** Reads what `versionColumns` wrote. */
export function parseDefinition(text: string): FlowDefinition {
  return JSON.parse(text) as FlowDefinition;
}
