import type { Graph, GraphEdge, GraphNode } from "./compile.ts";
import { stepSeparator } from "./flow.ts";
import type { JsonText, Outcome } from "./outcome.ts";

/** A node in a run. The same node of a loop's body is a different step in each iteration. */
export interface Step {
  /** Unique in the run: the node's id; inside loops followed by the iterations: `call␟3`, `call␟3.0` (see `stepId`). */
  readonly id: string;
  readonly node: GraphNode;
  /** The edges that led here. */
  readonly taken: readonly GraphEdge[];
  readonly frame: Frame;
}

/** What a step sees: the graph it belongs to, and the outcomes of earlier nodes. */
export interface Frame {
  readonly graph: Graph;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** Null for the flow itself. */
  readonly iteration: Iteration | null;
}

/** One iteration of a loop. */
export interface Iteration {
  /** The loop itself, a step of the enclosing graph. */
  readonly loop: Step;
  /** From 0. */
  readonly index: number;
  readonly item: JsonText;
  /** For a step of a node that takes steps: the results of the steps before it. */
  readonly earlier?: readonly JsonText[];
}

export function stepId(nodeId: string, iteration: Iteration | null): string {
  const path: number[] = [];
  for (let at = iteration; at !== null; at = at.loop.frame.iteration) path.unshift(at.index);
  return path.length === 0 ? nodeId : `${nodeId}${stepSeparator}${path.join(".")}`;
}
/** The node and the iterations of a step's id; no iterations for a step outside of loops. */
export function readStepId(id: string): { nodeId: string; iteration: string | null } {
  const at = id.indexOf(stepSeparator);
  return at === -1 ? { nodeId: id, iteration: null } : { nodeId: id.slice(0, at), iteration: id.slice(at + 1) };
}
