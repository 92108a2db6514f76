// Advice on a flow's paths: nodes that never run, conditions that decide nothing, paths without an answer.
import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { readHere } from "#lib/expressions/expressions.ts";
import type { PlannedNode } from "#lib/flows/plan-nodes.ts";
import { nodeDefinition, nodeTypes, plainHandleOf } from "#lib/nodes/registry.ts";
import { type AdvisedFlow, adviceOf, isAnswering } from "./advised-flow.ts";

/** Nodes that no path leads to: the first on each path, with a fix that removes all of them. */
export function unreachableNodes(flow: AdvisedFlow): FlowAdvice[] {
  const reached = reachedNodes(flow);
  const lost = new Set(flow.flow.nodes.map(({ id }) => id).filter((id) => !reached.has(id)));
  const fix = lost.size === 0 ? null : flow.without(lost, lost.size === 1 ? "Remove it" : `Remove ${lost.size} nodes`);
  return flow.own.flatMap((planned) => {
    const { id } = planned.node;
    const before = flow.incoming.get(id) ?? [];
    if (!lost.has(id) || !before.some(({ source }) => reached.has(source))) return [];
    const message = `never runs: ${before.map(({ source }) => `"${source}"`).join(" and ")} never leads to it`;
    return [adviceOf(planned, "UNREACHABLE_NODE", "warning", message, { fix })];
  });
}

function reachedNodes(flow: AdvisedFlow): Set<string> {
  const byId = new Map(flow.flow.nodes.map((node) => [node.id, node]));
  const reached = new Set(flow.flow.nodes.map(({ id }) => id).filter((id) => !flow.incoming.has(id)));
  reached.add(triggerSource);
  for (const id of reached) {
    const node = byId.get(id);
    const traits = node === undefined ? undefined : nodeTypes.traits(node.type);
    const isDisabled = node?.disabled === true;
    if (traits?.ends === true && !isDisabled) continue;
    // A disabled node only leaves by its plain handle.
    const left = node === undefined ? null : plainHandleOf(node.type);
    for (const { target, handle } of flow.edgesFrom(id)) {
      if (!isDisabled || handle === null || handle === left) reached.add(target);
    }
  }
  return reached;
}

const noScope = { has: () => false, value: () => undefined, size: () => 0 };

/** The value of the deciding setting if it is constant; otherwise undefined. */
function constantOf({ node, plan }: PlannedNode, field: string): { readonly value: unknown } | undefined {
  const own = plan.expressions.filter(({ slot }) => slot.path === field);
  const [only] = own;
  if (only === undefined) {
    const value = node.config[field];
    return typeof value === "boolean" || typeof value === "number" ? { value } : undefined;
  }
  if (own.length > 1 || only.expression.names.length > 0) return undefined;
  // An expression that is only part of a text.
  const written = String(node.config[field])
    .trim()
    .replace(/^\{\{|\}\}$/g, "")
    .trim();
  if (written !== only.expression.source) return undefined;
  const { values, missing, error } = readHere([only.expression], noScope);
  return missing.length > 0 || error !== null ? undefined : { value: values[0] };
}

/** Conditions with a constant result. */
export function deadBranches(flow: AdvisedFlow): FlowAdvice[] {
  return flow.planned.flatMap((planned) => {
    const { decidesBy: field, handles } = nodeDefinition(planned.node.type) ?? {};
    const known = field === undefined ? undefined : constantOf(planned, field);
    if (field === undefined || known === undefined || hasOpenCase(planned)) return [];
    const isYesOrNo = handles?.each === undefined;
    const always = isYesOrNo ? String(Boolean(known.value)) : JSON.stringify(known.value);
    const message = `is always ${always}: it decides nothing`;
    return [adviceOf(planned, "DEAD_BRANCH", "warning", message, { field })];
  });
}

/** Whether a case depends on more than the node's value: it has a condition, or is compared with an expression. */
function hasOpenCase({ node, plan }: PlannedNode): boolean {
  const perItem = nodeDefinition(node.type)?.handles.each;
  const cases = perItem === undefined ? [] : node.config[perItem];
  const isConditional = Array.isArray(cases) && cases.some((item) => isJsonObject(item) && item.when != null);
  return isConditional || (perItem !== undefined && plan.expressions.some(({ slot }) => slot.path.startsWith(perItem)));
}

/** A condition of which only one branch leads to an answer: by the other, the caller gets none. */
export function missingElse(flow: AdvisedFlow): FlowAdvice[] {
  if (!flow.isAnswered) return [];
  const answers = flow.own.filter(isAnswering).map(({ node }) => node.id);
  return flow.own.flatMap((planned) => {
    const { id, type, config } = planned.node;
    const handles = nodeTypes.handles(type, config) ?? [];
    const leaving = flow.edgesFrom(id);
    const isDecision = nodeDefinition(type)?.handles.plain === undefined && handles.length > 1;
    if (!isDecision || leaving.length === 0 || leaving.some(({ handle }) => handle === null)) return [];
    const missing = handles.filter((handle) => !leaving.some((edge) => edge.handle === handle));
    if (missing.length === 0) return [];
    const after = flow.from([id]);
    if (!answers.every((answer) => after.has(answer))) return [];
    const message = `has no edge from ${missing.map((handle) => `"${handle}"`).join(", ")}: the caller then gets no response from the flow`;
    return [adviceOf(planned, "MISSING_ELSE", "info", message)];
  });
}
