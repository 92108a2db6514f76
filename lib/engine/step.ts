import type { Graph, GraphEdge, GraphNode } from "./compile.ts";
import { stepSeparator } from "./flow.ts";
import type { Iterating } from "./loop.ts";
import type { JsonText, Outcome } from "./outcome.ts";
import type { Begun } from "./run.ts";
import type { WaitRequest } from "./wait.ts";

/** A node in a run. The same node of a loop's body is a different step in each iteration. */
export interface Step {
  /** Unique in the run: the node's id, followed by its iterations in loops: `call␟3`, `call␟3.0` (see `stepId`). */
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
  /** For one of a node's steps: the results of the steps before it. */
  readonly earlier?: readonly JsonText[];
}

export function stepId(nodeId: string, iteration: Iteration | null): string {
  const path: number[] = [];
  for (let at = iteration; at !== null; at = at.loop.frame.iteration) path.unshift(at.index);
  return path.length === 0 ? nodeId : `${nodeId}${stepSeparator}${path.join(".")}`;
}
/** The node and the iterations in a step's id; null iterations outside of loops. */
export function readStepId(id: string): { nodeId: string; iteration: string | null } {
  const at = id.indexOf(stepSeparator);
  return at === -1 ? { nodeId: id, iteration: null } : { nodeId: id.slice(0, at), iteration: id.slice(at + 1) };
}

/** The records of a run, by step: all that a process that resumes it knows. */
export interface StepRecords {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** Steps that started and have no outcome yet; for a loop, its items. */
  readonly begun: ReadonlyMap<string, { readonly loop: Iterating | null }>;
  readonly waits: ReadonlyMap<string, { readonly request: WaitRequest }>;
}

/**
 * The recorded result of a step; null if it has to start. A step recorded only as started runs again: its process died,
 * perhaps after the step had acted. Steps therefore act at least once, and receivers dedupe by the idempotency key.
 */
export function recordedStep({ outcomes, begun, waits }: StepRecords, stepId: string): Begun | null {
  const outcome = outcomes.get(stepId);
  if (outcome !== undefined) return outcome;
  const earlier = begun.get(stepId);
  if (earlier === undefined) return null;
  const wait = waits.get(stepId);
  return wait === undefined ? earlier.loop : { status: "waiting", wait: wait.request };
}

/**
 * The key by which a receiver detects a repeated step. A node's id may be any text; a header's value may not, so
 * everything but visible ASCII is percent-encoded.
 */
export function idempotencyKey(executionId: string, stepId: string): string {
  return `${executionId}.${stepId.replace(/[^\x21-\x7e]|%/gu, encodeURIComponent)}`;
}
