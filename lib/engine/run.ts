import type { Graph, GraphEdge, GraphNode } from "./compile.ts";
import { triggerSource } from "./flow.ts";
import { Halt, type Halting, isHalted, orHalted } from "./halt.ts";
import { type Collector, type Iterating, type IterationEnd, runLoop } from "./loop.ts";
import { lastHandle } from "./node-types.ts";
import {
  type Answer,
  cancelled,
  errorHandle,
  type JsonText,
  jsonText,
  type NodeError,
  type Outcome,
  skipped,
} from "./outcome.ts";
import { type Frame, type Iteration, type Step, stepId } from "./step.ts";
import type { Waiting, WaitRequest, Wake } from "./wait.ts";

/** The result of starting a step: an outcome, a wait, or a loop with its items. */
export type Begun = Outcome | Waiting | Iterating;

/**
 * The engine's port to a runtime. Steps are identified by `step.id`. An outcome is final. A step that returned
 * `waiting` or `iterating` returns the same again when the run is replayed from its records, in this process or
 * another.
 */
export interface RunIo {
  /**
   * Starts a step and records its result, or returns the result if it is already recorded. Null: the step is left to a
   * later stretch of the run; this one ends as `waiting`.
   */
  task(step: Step, work: () => Promise<Begun>): Promise<Begun | null>;
  /**
   * Resolves with what woke the step, perhaps much later. Null: it still waits when nothing else is left to do. This
   * stretch then ends as `waiting`, and the run resumes from its records once something has woken the step.
   */
  wait(step: Step, wait: WaitRequest): Promise<Wake | null>;
  /** Records the outcome of a step that waited or iterated, or what it waits for next. */
  finish<Ended extends Outcome | Waiting>(step: Step, work: () => Promise<Ended>): Promise<Ended>;
}

/** What nodes do. A node's failure is an outcome, not a rejection. */
export interface NodeWork {
  begin(step: Step): Promise<Begun>;
  /** The result of a step that waited, from what woke it; it may wait again. */
  resume(step: Step, wait: WaitRequest, wake: Wake): Promise<Outcome | Waiting>;
  /** The result of a loop, from its iterations. */
  join(step: Step, outcome: Outcome): Promise<Outcome>;
  /**
   * Called for each loop. The collector gets each item's result, and returns the loop's failure once they are too large
   * together.
   */
  collector?(): Collector;
}

export interface RunResult {
  /** The results of the flow's own nodes, except those that wait or come after one that does. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** True if it has not ended: it can continue only when something wakes it. */
  readonly waiting: boolean;
  /** Why the run failed; null if it did not. */
  readonly failure: RunFailure | null;
  readonly output: JsonText;
  /** Status and headers of the HTTP answer, if a node set them. */
  readonly answer: Answer | null;
}

export interface RunFailure {
  readonly nodeId: string;
  readonly error: NodeError;
}

/** Shared by all graphs of a run: the flow's own and those of its iterations. */
interface Shared {
  readonly io: RunIo;
  readonly work: NodeWork;
  /** Signalled by a node that ends the run. */
  readonly stop: Halt;
  stopped: { readonly nodeId: string; readonly outcome: Outcome } | null;
}

interface GraphEnd {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly waiting: boolean;
  readonly failure: RunFailure | null;
}

/**
 * Runs a flow. Each node is a promise that awaits the promises of the nodes before it; joins, parallel branches,
 * skipping and failure follow from that. Once a node fails without an `error` edge, a node that ends the run is
 * reached, or `signal` is aborted, nothing new starts: nodes in flight finish, and waits are abandoned. Rejects only if
 * `io` does.
 */
export async function runFlow(graph: Graph, io: RunIo, work: NodeWork, signal?: AbortSignal): Promise<RunResult> {
  const shared: Shared = { io, work, stop: new Halt(), stopped: null };
  const halts = signal === undefined ? [shared.stop] : [shared.stop, signal];
  const { outcomes, waiting, failure } = await runGraph(graph, null, shared, halts);
  const { stopped } = shared;
  if (stopped === null) return { outcomes, waiting, failure, ...findOutput(graph, outcomes) };
  const { nodeId, outcome } = stopped;
  const stopFailure = outcome.status === "failed" ? { nodeId, error: outcome.error } : null;
  const output = outcome.status === "completed" ? outcome.output : jsonText(null);
  return { outcomes, waiting: false, failure: stopFailure, output, answer: null };
}

/** Runs the flow's graph, or a loop's body for one item. Once one of `halts` signals, nothing new starts. */
async function runGraph(
  graph: Graph,
  iteration: Iteration | null,
  shared: Shared,
  halts: readonly Halting[],
): Promise<GraphEnd> {
  const outcomes = new Map<string, Outcome>();
  const frame: Frame = { graph, outcomes, iteration };
  /** Null: the node's result is not known in this stretch of the run. */
  const settled = new Map<string, Promise<Outcome | null>>();
  const failing = new Halt();
  const own = [...halts, failing];
  let failure: RunFailure | null = null;
  /** What `io` rejected with. */
  const broken: unknown[] = [];

  const settle = async (node: GraphNode): Promise<Outcome | null> => {
    const taken: GraphEdge[] = [];
    let isHeld = false;
    for (const edge of node.incoming) {
      const before = edge.source === triggerSource ? undefined : await settled.get(edge.source);
      if (before === null) isHeld = true;
      else if (edge.source === triggerSource || leavesBy(before, edge.handle)) taken.push(edge);
    }
    if (isHeld) return null;
    const isReached = node.incoming.length === 0 || taken.length > 0;
    const step = { id: stepId(node.node.id, iteration), node, taken, frame };
    const outcome = isReached && !isHalted(own) ? await runStep(step, shared, own) : skipped;
    if (outcome === null) return null;
    outcomes.set(node.node.id, outcome);
    if (node.ends && node.node.disabled !== true && outcome.status !== "skipped") stopAll(shared, node, outcome);
    else if (outcome.status === "failed" && !node.catches) {
      failure ??= { nodeId: node.node.id, error: outcome.error };
      failing.abort();
    }
    return outcome;
  };

  const giveUp = (reason: unknown): null => {
    broken.push(reason);
    return null;
  };
  for (const node of graph.order) settled.set(node.node.id, settle(node).catch(giveUp));
  // Everything in flight finishes before the run is left.
  for (const end of settled.values()) await end;
  if (broken.length > 0) throw broken[0];
  const waiting = !isHalted(own) && outcomes.size < graph.order.length;
  return { outcomes, waiting, failure };
}

function stopAll(shared: Shared, { node }: GraphNode, outcome: Outcome): void {
  if (outcome.status !== "cancelled") shared.stopped ??= { nodeId: node.id, outcome };
  shared.stop.abort();
}

async function runStep(step: Step, shared: Shared, halts: readonly Halting[]): Promise<Outcome | null> {
  const { io, work } = shared;
  let begun: Begun | null = await io.task(step, () => work.begin(step));
  if (begun === null) return null;
  while (begun.status === "waiting") {
    const { wait }: Waiting = begun;
    const wake = await orHalted(io.wait(step, wait), halts);
    if (wake === null) return isHalted(halts) ? cancelled : null;
    begun = await io.finish(step, () => work.resume(step, wait, wake));
  }
  if (begun.status !== "iterating") return begun;
  const { items, stepsMax } = begun;
  // All steps of a node have the same item.
  const itemAt = (index: number) => items[stepsMax === undefined ? index : 0] ?? jsonText(null);
  const iterate = (index: number, over: AbortSignal, earlier: readonly JsonText[]) =>
    runIteration({ loop: step, index, item: itemAt(index), earlier }, shared, [...halts, over]);
  const outcome = await runLoop(begun, iterate, work.collector?.());
  return outcome === null ? null : await io.finish(step, () => work.join(step, outcome));
}

async function runIteration(iteration: Iteration, shared: Shared, halts: readonly Halting[]): Promise<IterationEnd> {
  const { body } = iteration.loop.node;
  if (body === null || isHalted(halts)) return { status: "halted" };
  const end = await runGraph(body, iteration, shared, halts);
  if (end.failure !== null) {
    const { nodeId } = end.failure;
    const nodeName = body.order.find(({ node }) => node.id === nodeId)?.node.name ?? nodeId;
    return { status: "failed", nodeName, ...end.failure };
  }
  if (isHalted(halts)) return { status: "halted" };
  if (end.waiting) return { status: "waiting" };
  const isLast = [...end.outcomes.values()].some(
    (outcome) => outcome.status === "completed" && outcome.handle === lastHandle,
  );
  return { status: "completed", output: findOutput(body, end.outcomes).output, isLast };
}

/** True if the edge with this handle was taken. A plain edge is taken whichever handle its source left by. */
export function leavesBy(outcome: Outcome | undefined, handle: string | null): boolean {
  if (outcome?.status === "failed") return handle === errorHandle;
  return outcome?.status === "completed" && (handle === null || outcome.handle === handle);
}

/** The output of a run: that of the node that answers, or else of the last node without a taken edge. */
function findOutput(graph: Graph, outcomes: ReadonlyMap<string, Outcome>): { output: JsonText; answer: Answer | null } {
  let best: { index: number; output: JsonText; answer: Answer | null } | undefined;
  for (const { node, index, outgoing } of graph.order) {
    const outcome = outcomes.get(node.id);
    if (outcome?.status !== "completed") continue;
    const answer = outcome.answer ?? null;
    if (answer === null && outgoing.some((edge) => leavesBy(outcome, edge.handle))) continue;
    const better =
      best === undefined || ((answer === null) === (best.answer === null) ? index > best.index : answer !== null);
    if (better) best = { index, output: outcome.output, answer };
  }
  return { output: best?.output ?? { value: null, json: "null" }, answer: best?.answer ?? null };
}
