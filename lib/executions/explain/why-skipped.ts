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

/** Whether a step took an edge, according to its record. */
export function tookEdge(step: RecordedStep | undefined, { handle }: GraphEdge): boolean {
  if (step?.status === "failed") return handle === errorHandle;
  return step?.status === "completed" && (handle === null || step.handle === handle);
}

/** The maximum number of decisions per node, and of nodes directly before it: there may be hundreds. */
const listedMax = 20;
/** The maximum number of nodes on a path. */
const pathNodesMax = 200;

/** The path from a node that was not reached back to the decisions that skipped it. */
export interface PathBack {
  /** Nodes in between, which were not reached either. */
  readonly between: readonly Reason[];
  /** Steps that ran and led elsewhere. */
  readonly decisions: readonly RecordedStep[];
}

/** The whole path back from one node, nearest first. */
export function pathBack({ graph, steps }: RecordedGraph, nodeId: string): PathBack {
  const between: Reason[] = [];
  const decisions = new Set<RecordedStep>();
  const seen = new Set([nodeId]);
  for (const at of seen) {
    for (const edge of graph.byId.get(at)?.incoming ?? []) {
      if (edge.source === triggerSource || seen.has(edge.source)) continue;
      const step = steps.get(edge.source);
      if (!isReached(step)) {
        seen.add(edge.source);
        between.push(passedBy(edge));
      } else if (isEnded(step) && !tookEdge(step, edge)) decisions.add(step);
    }
  }
  return { between: between.slice(0, pathNodesMax), decisions: [...decisions].slice(0, listedMax) };
}

/**
 * The same for every node that was not reached, by id, in one pass. `between` has only the nodes directly before it.
 */
export function pathsBack({ graph, steps }: RecordedGraph): Map<string, PathBack> {
  const paths = new Map<string, PathBack>();
  for (const { node, incoming } of graph.order) {
    if (!isReached(steps.get(node.id))) paths.set(node.id, pathOver(incoming, steps, paths));
  }
  return paths;
}

/** The path back over these edges; `paths` has those of the unreached nodes before them. */
function pathOver(
  incoming: readonly GraphEdge[],
  steps: RecordedGraph["steps"],
  paths: ReadonlyMap<string, PathBack>,
): PathBack {
  const between: Reason[] = [];
  const decisions = new Set<RecordedStep>();
  for (const edge of incoming) {
    const before = paths.get(edge.source);
    const step = steps.get(edge.source);
    if (before !== undefined) {
      if (between.length < listedMax) between.push(passedBy(edge));
      for (const decision of before.decisions) if (decisions.size < listedMax) decisions.add(decision);
    } else if (step !== undefined && isEnded(step) && !tookEdge(step, edge) && decisions.size < listedMax) {
      decisions.add(step);
    }
  }
  return { between, decisions: [...decisions] };
}

function passedBy({ source, handle }: GraphEdge): Reason {
  return { nodeId: source, handle, expression: null, value: null };
}

/**
 * Why a node did not run, by its path back. Without a decision, the run's end is the reason. `values`: the values
 * behind decisions, by step.
 */
export function whySkipped(
  { graph }: Pick<RecordedGraph, "graph">,
  { between, decisions }: PathBack,
  end: RunEnd,
  values: ReadonlyMap<string, unknown>,
): Reason[] {
  if (decisions.length > 0) return [...between, ...decisions.map((step) => reasonOf(graph, step, values))];
  if (end.status === "completed") return [];
  const { status, errorNodeId, errorMessage: message, reason } = end;
  const value = { status, ...(message === null ? {} : { message }), ...(reason === null ? {} : { reason }) };
  return [{ nodeId: errorNodeId, handle: null, expression: null, value }];
}

/** A decision: which handle the step left by, and on what value. */
export function reasonOf(graph: Graph, step: RecordedStep, values: ReadonlyMap<string, unknown>): Reason {
  const { nodeId, handle, error } = step;
  if (error !== null) return failureOf(step);
  const node = graph.byId.get(nodeId)?.node;
  const field = node === undefined ? undefined : nodeDefinition(node.type)?.decidesBy;
  const written = field === undefined ? undefined : node?.config[field];
  const expression = typeof written === "string" ? written : null;
  return { nodeId, handle, expression, value: values.get(step.id) ?? null };
}

/** The node itself shows the whole message. */
const messageCharactersMax = 500;

/** A failure, as a reason. */
export function failureOf({ nodeId, error }: RecordedStep): Reason {
  const value = error === null ? null : { code: error.code, message: error.message.slice(0, messageCharactersMax) };
  return { nodeId, handle: error === null ? null : errorHandle, expression: error?.expression ?? null, value };
}

export function isEnded({ status }: RecordedStep): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** Whether a step ran. Steps that were preset as skipped have a record too. */
export function isReached(step: RecordedStep | undefined): step is RecordedStep {
  return step !== undefined && step.status !== "skipped" && step.startedAt !== null;
}
