import type { Graph, GraphEdge, GraphNode } from "./compile.ts";
import { triggerSource } from "./flow.ts";
import { type Answer, errorHandle, type JsonText, type Outcome, skipped } from "./outcome.ts";

/** The outside, as the engine sees it. What differs between runtimes is behind it. */
export interface RunIo {
  /** Does a node's work and records what came of it; or, when it is recorded already, gives that and does nothing. */
  task(node: GraphNode, work: () => Promise<Outcome>): Promise<Outcome>;
}

/** Does a node's work. `taken` are the edges that led here; `outcomes` holds those of all nodes before it. */
export type ExecuteNode = (
  node: GraphNode,
  taken: readonly GraphEdge[],
  outcomes: ReadonlyMap<string, Outcome>,
) => Promise<Outcome>;

export interface RunResult {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** The node that failed the run, if one did. */
  readonly failedNodeId: string | null;
  readonly output: JsonText;
  /** The form of the HTTP answer, when a node asked for one. */
  readonly answer: Answer | null;
}

/**
 * Runs a flow: every node is a promise that waits for the promises of the nodes before it. Joins, parallel branches,
 * skipping and failure follow from that. Once a node fails that no `error` edge catches, or `signal` is aborted, what
 * is in flight finishes and nothing new starts. Rejects only when `io` does.
 */
export async function runFlow(graph: Graph, io: RunIo, execute: ExecuteNode, signal?: AbortSignal): Promise<RunResult> {
  const outcomes = new Map<string, Outcome>();
  const settled = new Map<string, Promise<Outcome>>();
  let failedNodeId: string | null = null;

  const settle = async (node: GraphNode): Promise<Outcome> => {
    const taken: GraphEdge[] = [];
    for (const edge of node.incoming) {
      if (edge.source === triggerSource || leavesBy(await settled.get(edge.source), edge.handle)) taken.push(edge);
    }
    const reached = node.incoming.length === 0 || taken.length > 0;
    const stopped = failedNodeId !== null || signal?.aborted === true;
    const outcome = reached && !stopped ? await io.task(node, () => execute(node, taken, outcomes)) : skipped;
    if (outcome.status === "failed" && !node.catches) failedNodeId ??= node.node.id;
    outcomes.set(node.node.id, outcome);
    return outcome;
  };

  for (const node of graph.order) settled.set(node.node.id, settle(node));
  const ends = await Promise.allSettled(settled.values());
  const broken = ends.find((end) => end.status === "rejected");
  if (broken !== undefined) throw broken.reason;
  return { outcomes, failedNodeId, ...findOutput(graph, outcomes) };
}

/** True when the edge with this handle was taken. A plain edge is taken whatever handle its source left by. */
export function leavesBy(outcome: Outcome | undefined, handle: string | null): boolean {
  if (outcome?.status === "failed") return handle === errorHandle;
  return outcome?.status === "completed" && (handle === null || outcome.handle === handle);
}

/** The answer of a run: that of the node that answers, else of the last node that led nowhere further. */
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
