import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import { settleBranches } from "#lib/engine/branches.ts";
import type { GraphEdge } from "#lib/engine/compile.ts";
import { type FlowEdge, type FlowNode, type FlowTrigger, triggerSource } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { errorHandle } from "#lib/engine/outcome.ts";
import type { PlannedNode } from "#lib/flows/plan-nodes.ts";
import { nodeDefinition, nodeTypes } from "#lib/nodes/registry.ts";

/** A flow to check. */
export interface CheckedFlow {
  readonly trigger: FlowTrigger;
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
}

/** A flow whose graph is read once for all advice. Nodes in bodies have no edges here. */
export class AdvisedFlow {
  readonly flow: CheckedFlow;
  /** Milliseconds that the caller of a trigger URL waits for the answer. */
  readonly callerWaitsMs: number;
  /** All nodes that may run, including those in bodies. */
  readonly planned: readonly PlannedNode[];
  /** The same, without those in bodies. */
  readonly own: readonly PlannedNode[];
  readonly outgoing: ReadonlyMap<string, readonly GraphEdge[]>;
  readonly incoming: ReadonlyMap<string, readonly GraphEdge[]>;

  constructor(flow: CheckedFlow, planned: readonly PlannedNode[], callerWaitsMs: number) {
    this.flow = flow;
    this.callerWaitsMs = callerWaitsMs;
    this.planned = planned.filter(({ isDisabled }) => !isDisabled);
    this.own = this.planned.filter(({ loops }) => loops.length === 0);
    const { handles } = settleBranches(flow.nodes, flow.edges, nodeTypes.traits);
    const edges = flow.edges.map(({ source, target }, index) => ({ source, target, handle: handles[index] ?? null }));
    this.outgoing = Map.groupBy(edges, ({ source }) => source);
    this.incoming = Map.groupBy(edges, ({ target }) => target);
  }

  edgesFrom(id: string): readonly GraphEdge[] {
    return this.outgoing.get(id) ?? [];
  }

  /** All nodes that these lead to, including themselves. */
  from(ids: Iterable<string>): Set<string> {
    const found = new Set(ids);
    for (const id of found) for (const { target } of this.edgesFrom(id)) found.add(target);
    return found;
  }

  /** Whether the node's failure follows an edge or becomes an output. */
  catches({ id, config }: FlowNode): boolean {
    return config.onError === "continue" || this.edgesFrom(id).some(({ handle }) => handle === errorHandle);
  }

  /** Whether a caller waits for the flow's answer. */
  get isAnswered(): boolean {
    const { type, config } = this.flow.trigger;
    return type === "webhook" && config.respond === undefined && this.own.some(isAnswering);
  }

  /** Ids of the nodes on a path to one that answers. */
  beforeAnswer(): ReadonlySet<string> {
    if (!this.isAnswered) return new Set();
    const found = new Set(this.own.filter(isAnswering).map(({ node }) => node.id));
    for (const id of found) {
      for (const { source, handle } of this.incoming.get(id) ?? []) {
        if (source !== triggerSource && handle !== errorHandle) found.add(source);
      }
    }
    return found;
  }

  /** The flow with one top-level node's config replaced. Null for a node in a body. */
  withConfig({ node, loops }: PlannedNode, title: string, config: JsonObject): FlowAdvice["fix"] {
    if (loops.length > 0) return null;
    const nodes = this.flow.nodes.map((other) => (other.id === node.id ? { ...other, config } : other));
    return { title, definition: { ...this.flow, nodes } };
  }

  /** The flow without these nodes and their edges. */
  without(ids: ReadonlySet<string>, title: string): FlowAdvice["fix"] {
    const nodes = this.flow.nodes.filter(({ id }) => !ids.has(id));
    const edges = this.flow.edges.filter(({ source, target }) => !ids.has(source) && !ids.has(target));
    return { title, definition: { ...this.flow, nodes, edges } };
  }
}

export function isAnswering({ node }: PlannedNode): boolean {
  return nodeDefinition(node.type)?.answers === true;
}

/** Advice on a node; `field`: in its config. */
export function adviceOf(
  { node, path }: Pick<PlannedNode, "node" | "path">,
  code: FlowAdvice["code"],
  severity: FlowAdvice["severity"],
  message: string,
  { field = "", fix = null }: { readonly field?: string; readonly fix?: FlowAdvice["fix"] } = {},
): FlowAdvice {
  const at = field === "" ? path : field.startsWith("[") ? `${path}${field}` : `${path}.${field}`;
  return { code, severity, nodeId: node.id, path: at, message, fix };
}
