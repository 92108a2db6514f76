import type { FlowNode } from "#lib/engine/flow.ts";
import type { ConfigPlan, Expression } from "#lib/expressions/expressions.ts";
import { codeProgram } from "./code-program.ts";

/** Everything of a node that is evaluated: its templates, and the program of a code node. */
export function expressionsOf({ type, config }: FlowNode, plan: ConfigPlan): Expression[] {
  const templates = plan.expressions.map(({ expression }) => expression);
  const isReadable = type === "code" && typeof config.code === "string" && plan.problems.length === 0;
  return isReadable ? [...templates, codeProgram(String(config.code))] : templates;
}

/** The names of the credentials that these nodes use; null when an expression may read any. */
export function credentialNamesOf(
  nodes: readonly FlowNode[],
  plan: (node: FlowNode) => ConfigPlan,
): readonly string[] | null {
  const names = new Set<string>();
  for (const node of nodes) {
    if (typeof node.config.credential === "string") names.add(node.config.credential);
    for (const { names: mentioned, credentialNames } of expressionsOf(node, plan(node))) {
      if (!mentioned.includes("$credentials")) continue;
      if (credentialNames === null) return null;
      for (const name of credentialNames) names.add(name);
    }
  }
  return [...names];
}
