import type { FlowNode } from "#lib/engine/flow.ts";
import type { ConfigPlan } from "#lib/expressions/expressions.ts";
import { nodeDefinition } from "#lib/nodes/registry.ts";

/** The names of the credentials that these nodes use; null when an expression may read any. */
export function credentialNamesOf(
  nodes: readonly FlowNode[],
  plan: (node: FlowNode) => ConfigPlan,
): readonly string[] | null {
  const names = new Set<string>();
  for (const node of nodes) {
    for (const name of nodeDefinition(node.type)?.credentialNames?.(node.config) ?? []) names.add(name);
    for (const { names: mentioned, credentialNames } of plan(node).evaluated) {
      if (!mentioned.includes("$credentials")) continue;
      if (credentialNames === null) return null;
      for (const name of credentialNames) names.add(name);
    }
  }
  return [...names];
}
