import type { Reason } from "#lib/contract/executions/executions.ts";
import type { Graph, GraphEdge } from "#lib/engine/compile.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { errorHandle } from "#lib/engine/outcome.ts";
import { nodeDefinition } from "#lib/nodes/registry.ts";
import type { RecordedStep } from "./recorded-steps.ts";

/** What is recorded of one graph of a run: the flow's own, or a loop's body in one iteration. */
export interface RecordedGraph {
  readonly graph: Graph;
  /** By node id; only nodes that were reached. */
  readonly steps: ReadonlyMap<string, RecordedStep>;
}

/** How a run ended, as a reason. */
export interface RunEnd {
  readonly status: string;
  readonly errorNodeId: string | null;
  readonly errorMessage: string | null;
  readonly reason: string | null;
}

/** Whether a step led on by an edge, as recorded. */
export function ledBy(step: RecordedStep | undefined, { handle }: GraphEdge): boolean {
  if (step?.status === "failed") return handle === errorHandle;
  return step?.status === "completed" && (handle === null || step.handle === handle);
}

/** Nodes before this one that decided it was not reached: they ran and led elsewhere. */
export function decisionsBefore({ graph, steps }: RecordedGraph, nodeId: string): RecordedStep[] {
  return walkBack({ graph, steps }, nodeId).decisions;
}

/**
 * Why a node did not run: the nodes on the way back that did not run either, then the decisions. Where none led
 * elsewhere, it is the run's end. `values`: what steps decided on, by step.
 */
export function whySkipped(
  recorded: RecordedGraph,
  nodeId: string,
  end: RunEnd,
  values: ReadonlyMap<string, unknown>,
): Reason[] {
  const { between, decisions } = walkBack(recorded, nodeId);
  if (decisions.length > 0) {
    return [...between, ...decisions.map((step) => reasonOf(recorded.graph, step, values))];
  }
  if (end.status === "completed") return [];
  const { status, errorNodeId, errorMessage: message, reason } = end;
  const value = { status, ...(message === null ? {} : { message }), ...(reason === null ? {} : { reason }) };
  return [{ nodeId: errorNodeId, handle: null, expression: null, value }];
}

function walkBack({ graph, steps }: RecordedGraph, nodeId: string) {
  const between: Reason[] = [];
  const decisions: RecordedStep[] = [];
  const seen = new Set([nodeId]);
  for (const at of seen) {
    for (const edge of graph.byId.get(at)?.incoming ?? []) {
      if (edge.source === triggerSource || seen.has(edge.source)) continue;
      const step = steps.get(edge.source);
      if (step === undefined || step.status === "skipped") {
        seen.add(edge.source);
        between.push({ nodeId: edge.source, handle: edge.handle, expression: null, value: null });
      } else if (isEnded(step) && !ledBy(step, edge) && !decisions.includes(step)) decisions.push(step);
    }
  }
  return { between, decisions };
}

/** A step that decided: the way it left by, and on what. */
export function reasonOf(graph: Graph, step: RecordedStep, values: ReadonlyMap<string, unknown>): Reason {
  const { nodeId, handle, error } = step;
  if (error !== null) return failureOf(step);
  const node = graph.byId.get(nodeId)?.node;
  const field = node === undefined ? undefined : nodeDefinition(node.type)?.decidesBy;
  const written = field === undefined ? undefined : node?.config[field];
  const expression = typeof written === "string" ? written : null;
  return { nodeId, handle, expression, value: values.get(step.id) ?? null };
}

/** The node itself has the whole of it. */
const messageCharactersMax = 500;

/** A failure, as a reason. */
export function failureOf({ nodeId, error }: RecordedStep): Reason {
  const value = error === null ? null : { code: error.code, message: error.message.slice(0, messageCharactersMax) };
  return { nodeId, handle: error === null ? null : errorHandle, expression: error?.expression ?? null, value };
}

export function isEnded({ status }: RecordedStep): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}
