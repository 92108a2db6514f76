import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import type { PlannedNode } from "#lib/flows/plan-nodes.ts";
import { findUnknownSettings, nodeDefinition } from "#lib/nodes/registry.ts";

/** Likely mistakes that do not keep a flow from being stored and active. */
export function adviceOn(nodes: readonly PlannedNode[]): FlowAdvice[] {
  const loopsOf = new Map(nodes.map(({ node, loops }) => [node.id, loops]));
  const enabled = nodes.filter(({ isDisabled }) => !isDisabled);
  return enabled.flatMap((planned) => [
    ...unknownNodes(planned, loopsOf),
    ...unknownSettingsAdvice(planned),
    ...adviceOfType(planned),
  ]);
}

const namesToldMax = 10;

/** Unknown settings, which have no effect; most are typos. */
function unknownSettingsAdvice({ node, path: config }: PlannedNode): FlowAdvice[] {
  return findUnknownSettings(node.type, node.config).map(({ path, nearest, known }) => {
    const names = known.slice(0, namesToldMax).join(", ");
    const suggestion = nearest === null ? `known settings: ${names}` : `did you mean ${nearest}?`;
    return {
      code: "UNKNOWN_SETTING",
      severity: "warning",
      nodeId: node.id,
      path: path.startsWith("[") ? `${config}${path}` : `${config}.${path}`,
      message: `is not a setting of this node and has no effect; ${suggestion}`,
      fix: null,
    };
  });
}

/** Advice that the node's type gives on its config. */
function adviceOfType({ node, path }: PlannedNode): FlowAdvice[] {
  const own = nodeDefinition(node.type)?.advice?.(node.config) ?? [];
  return own.map(({ code, path: at, message }) => ({
    code,
    severity: "warning",
    nodeId: node.id,
    path: `${path}.${at}`,
    message,
    fix: null,
  }));
}

/** References to nodes whose output the expression can never see. */
function unknownNodes(
  { node, path, plan, canRead, loops }: PlannedNode,
  loopsOf: ReadonlyMap<string, readonly string[]>,
): FlowAdvice[] {
  const read = new Map<string, Set<string>>();
  for (const { slot, expression } of [...plan.code, ...plan.expressions]) {
    for (const id of expression.nodeIds ?? []) {
      if (!canRead(id)) read.set(slot.path, (read.get(slot.path) ?? new Set()).add(id));
    }
  }
  return [...read].flatMap(([at, ids]) =>
    [...ids].map(
      (id): FlowAdvice => ({
        code: "UNKNOWN_NODE",
        severity: "error",
        nodeId: node.id,
        path: at.startsWith("[") ? `${path}${at}` : `${path}.${at}`,
        message: `reads "${id}", ${whyUnknown(loopsOf.get(id), loops)}`,
        fix: null,
      }),
    ),
  );
}

/** `there`: the loops around the node that is read. `here`: those around the reading node. */
function whyUnknown(there: readonly string[] | undefined, here: readonly string[]): string {
  if (there === undefined) return "which is not a node of this flow";
  const isInScope = there.every((loop, depth) => here[depth] === loop);
  return isInScope ? "which does not run before this node" : "which is in a loop: only nodes of that loop can read it";
}
