import { LRUCache } from "lru-cache";
import type { Branches } from "#lib/engine/branches.ts";
import { compileGraph, type Graph } from "#lib/engine/compile.ts";
import type { FlowDefinition, FlowNode } from "#lib/engine/flow.ts";
import { nodesWithin } from "#lib/engine/flow-body.ts";
import { type JsonText, jsonText } from "#lib/engine/outcome.ts";
import type { ConfigPlan } from "#lib/expressions/expressions.ts";
import { parseDefinition } from "#lib/flows/definition.ts";
import { planNodeConfig } from "#lib/nodes/registry.ts";
import { query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { credentialNamesOf } from "./credential-names.ts";

/** A version made ready to run: its graph, and its nodes' templates, each parsed once. */
export interface CompiledVersion {
  readonly definition: FlowDefinition;
  readonly graph: Graph;
  /** Its nodes, those of loops' bodies included. */
  readonly allNodes: readonly FlowNode[];
  /** True when a node of it may wait for the end of another execution. */
  readonly startsFlows: boolean;
  readonly variables: JsonText;
  /** If-else nodes whose plain edges were too many to tell apart. */
  readonly ambiguous: readonly string[];
  readonly plan: (node: FlowNode) => ConfigPlan;
  /** Every credential that its nodes name; null when an expression may read any. */
  readonly credentialNames: () => readonly string[] | null;
}

const versionsKept = 500;
const cache = () => singleton("compiled-versions", () => new LRUCache<string, CompiledVersion>({ max: versionsKept }));

/** A version never changes, so it may be kept for as long as there is room. Null when it is gone. */
export async function loadVersion(flowId: string, version: number): Promise<CompiledVersion | null> {
  const key = `${flowId}@${version}`;
  const kept = cache().get(key);
  if (kept !== undefined) return kept;
  const [row] = await query<{ definition: string; branches: string }>(
    "load-version",
    "SELECT definition, branches FROM flow_version WHERE flow_id = $1 AND version = $2",
    [flowId, version],
  );
  if (row === undefined) return null;
  const compiled = compileVersion(parseDefinition(row.definition), JSON.parse(row.branches) as Branches);
  cache().set(key, compiled);
  return compiled;
}

/** Makes a version ready that has been checked. */
export function compileVersion(definition: FlowDefinition, branches: Branches): CompiledVersion {
  // By the node itself: a loop over a flow and the node that runs it have one id.
  const plans = new Map<FlowNode, ConfigPlan>();
  const plan = (node: FlowNode): ConfigPlan => {
    const known = plans.get(node);
    if (known !== undefined) return known;
    const made = planNodeConfig(node.type, node.config);
    plans.set(node, made);
    return made;
  };
  const allNodes = nodesWithin(definition.nodes);
  let names: { readonly all: readonly string[] | null } | undefined;
  return {
    definition,
    allNodes,
    startsFlows: allNodes.some(({ type }) => type === "sub-flow"),
    graph: compileGraph(definition, branches),
    variables: jsonText(definition.variables),
    ambiguous: ambiguousWithin(branches),
    plan,
    credentialNames: () => {
      names ??= { all: credentialNamesOf(allNodes, plan) };
      return names.all;
    },
  };
}

function ambiguousWithin({ ambiguous, bodies = {} }: Branches): string[] {
  return [...ambiguous, ...Object.values(bodies).flatMap(ambiguousWithin)];
}
