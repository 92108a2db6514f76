import { LRUCache } from "lru-cache";
import type { Branches } from "#lib/engine/branches.ts";
import { compileGraph, type Graph } from "#lib/engine/compile.ts";
import type { FlowDefinition, FlowNode } from "#lib/engine/flow.ts";
import { type JsonText, jsonText } from "#lib/engine/outcome.ts";
import type { ConfigPlan } from "#lib/expressions/expressions.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { nodeDefinition, nodeTypes, planNodeConfig } from "#lib/nodes/registry.ts";
import { query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { readFor } from "#lib/reading/read-sources.ts";

/** A version prepared for running: its graph, and its nodes' templates, each parsed once. */
export interface CompiledVersion {
  readonly definition: FlowDefinition;
  readonly graph: Graph;
  /** Its nodes, including those in loop bodies. */
  readonly allNodes: readonly FlowNode[];
  /** True if one of its nodes may wait for another execution's end. */
  readonly startsFlows: boolean;
  readonly variables: JsonText;
  /** Nodes with more plain edges than free handles. */
  readonly ambiguous: readonly string[];
  readonly plan: (node: FlowNode) => ConfigPlan;
  readonly planAll: (owner: string) => Promise<void>;
  /** Every credential that its nodes name; null if an expression may name any. */
  readonly credentialNames: () => readonly string[] | null;
}

/**
 * The nodes of a longer definition are planned up front, yielding in between; otherwise each is planned when it runs.
 */
const lazyCharactersMax = 16_384;
const versionsKept = 500;
const cache = () => singleton("compiled-versions", () => new LRUCache<string, CompiledVersion>({ max: versionsKept }));

/** Loads a version, from the cache if possible: a version never changes. Null if it is gone. */
export async function loadVersion(flowId: string, version: number): Promise<CompiledVersion | null> {
  const key = `${flowId}@${version}`;
  const cached = cache().get(key);
  if (cached !== undefined) return cached;
  const [row] = await query<{ definition: string; branches: string }>(
    "load-version",
    "SELECT definition, branches FROM flow_version WHERE flow_id = $1 AND version = $2",
    [flowId, version],
  );
  if (row === undefined) return null;
  const definition = (await parseOwnJson(row.definition)) as FlowDefinition;
  const compiled = compileVersion(definition, JSON.parse(row.branches) as Branches);
  if (row.definition.length > lazyCharactersMax) await compiled.planAll(flowId);
  cache().set(key, compiled);
  return compiled;
}

/** Compiles a valid version. */
export function compileVersion(definition: FlowDefinition, branches: Branches): CompiledVersion {
  // By the node object, not its id: a loop over a flow and the node that runs it share an id.
  const plans = new Map<FlowNode, ConfigPlan>();
  const plan = (node: FlowNode): ConfigPlan => {
    const known = plans.get(node);
    if (known !== undefined) return known;
    const made = planNodeConfig(node.type, node.config);
    plans.set(node, made);
    return made;
  };
  const graph = compileGraph(definition, branches, nodeTypes.traits);
  // The same objects that run: reading a body creates new ones each time.
  const allNodes = nodesOf(graph);
  let names: { readonly all: readonly string[] | null } | undefined;
  return {
    definition,
    allNodes,
    startsFlows: allNodes.some(({ type }) => {
      const { waitsFor, startsFlows } = nodeTypes.traits(type) ?? {};
      return waitsFor === "execution" || startsFlows === true;
    }),
    graph,
    variables: jsonText(definition.variables),
    ambiguous: ambiguousWithin(branches),
    plan,
    planAll: async (owner) => {
      const made = await readFor(owner, allNodes, ({ type, config }, read) => planNodeConfig(type, config, read));
      made.forEach((compiled, index) => {
        plans.set(allNodes[index] as FlowNode, compiled);
      });
    },
    credentialNames: () => {
      names ??= { all: credentialNamesOf(allNodes, plan) };
      return names.all;
    },
  };
}

function nodesOf(graph: Graph): FlowNode[] {
  return [...graph.byId.values()].flatMap(({ node, body }) => [node, ...(body === null ? [] : nodesOf(body))]);
}

function ambiguousWithin({ ambiguous, bodies = {} }: Branches): string[] {
  return [...ambiguous, ...Object.values(bodies).flatMap(ambiguousWithin)];
}

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
