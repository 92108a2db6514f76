import { isDeepStrictEqual } from "node:util";
import type { Actor } from "#lib/auth/actor.ts";
import { type FlowDefinition, type FlowEdge, type FlowNode, triggerSource } from "#lib/engine/flow.ts";
import { loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import { type LearnedShapes, noLearned } from "#lib/flows/advice/learned-types.ts";
import { nodeDefinition } from "#lib/nodes/registry.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import type { Shape } from "./learn-from-value.ts";
import { storedTypes } from "./stored-types.ts";
import type { FlowShapes } from "./version-types.ts";

type TypedDefinition = Pick<FlowDefinition, "trigger" | "nodes" | "edges">;

/**
 * The learned types that hold for this state of a stored flow: those of nodes that are unchanged since. What a node
 * computes also depends on the nodes before it; answers from outside do not.
 */
export async function typesFor(actor: Actor, flowId: string, flow: TypedDefinition): Promise<LearnedShapes> {
  if (!actor.scopes.has("executions:read") || !isId("flow", flowId)) return noLearned;
  const where = { id: flowId, workspaceId: actor.workspaceId };
  const row = await database().flow.findFirst({ where, select: { id: true } });
  if (row === null) return noLearned;
  const nodes = new Map<string, Shape>();
  let trigger: Shape | null = null;
  for (const { version, shapes } of await storedTypes(flowId)) {
    const learned = (await loadVersion(flowId, version))?.definition;
    if (learned === undefined) continue;
    if (learned.trigger.type === flow.trigger.type) trigger ??= shapes.trigger;
    for (const [id, shape] of stillTrue(flow, learned, shapes)) if (!nodes.has(id)) nodes.set(id, shape);
  }
  return { trigger, nodes };
}

/** The shapes of a version's nodes that hold in another state of the flow. */
export function stillTrue(flow: TypedDefinition, learned: TypedDefinition, { nodes }: FlowShapes): [string, Shape][] {
  const before = new Map(learned.nodes.map((node) => [node.id, node]));
  const [edges, edgesBefore] = [flow.edges, learned.edges].map(edgesByTarget);
  const alike = new Set(flow.nodes.filter((node) => isAlike(node, before.get(node.id))).map(({ id }) => id));
  const isUnchanged = unchangedPath(edges ?? new Map(), (id) => {
    return alike.has(id) && isDeepStrictEqual(edges?.get(id), edgesBefore?.get(id));
  });
  return flow.nodes.flatMap(({ id, type }): [string, Shape][] => {
    const shape = nodes.get(id);
    if (shape === undefined || !alike.has(id)) return [];
    const isFromOutside = nodeDefinition(type)?.effect === "outside";
    return isFromOutside || isUnchanged(id) ? [[id, shape]] : [];
  });
}

function isAlike(node: FlowNode, before: FlowNode | undefined): boolean {
  if (before === undefined || node.type !== before.type) return false;
  return (node.disabled === true) === (before.disabled === true) && isDeepStrictEqual(node.config, before.config);
}

/** An edge into a node: from where, by which handle. */
type Incoming = readonly [source: string, handle: string];

function edgesByTarget(edges: readonly FlowEdge[]): Map<string, Incoming[]> {
  const byTarget = Map.groupBy(edges, ({ target }) => target);
  return new Map(
    [...byTarget].map(([id, own]) => {
      const incoming = own.map(({ source, sourceHandle }): Incoming => [source, sourceHandle ?? ""]);
      return [id, incoming.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))];
    }),
  );
}

/** Whether a node and all its ancestors are unchanged. False in a cycle. */
function unchangedPath(edges: ReadonlyMap<string, readonly Incoming[]>, isSame: (id: string) => boolean) {
  const known = new Map<string, boolean>();
  /** Types being resolved: meeting one again means a cycle. */
  const entered = new Set<string>();
  return (id: string): boolean => {
    const stack = [id];
    for (let at = stack.at(-1); at !== undefined; at = stack.at(-1)) {
      const sources = known.has(at) ? [] : (edges.get(at) ?? []).map(([source]) => source);
      const open = sources.filter((source) => source !== triggerSource && !known.has(source) && !entered.has(source));
      if (open.length > 0 && isSame(at)) {
        entered.add(at);
        stack.push(...open);
        continue;
      }
      if (!known.has(at))
        known.set(at, isSame(at) && sources.every((source) => source === triggerSource || known.get(source) === true));
      stack.pop();
    }
    return known.get(id) === true;
  };
}
