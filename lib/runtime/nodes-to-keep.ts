import { ancestorsOf, descendantsOf, type GraphNode } from "#lib/engine/compile.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import type { Outcome } from "#lib/engine/outcome.ts";
import { leavesBy } from "#lib/engine/run.ts";
import { AppError } from "#lib/errors.ts";
import type { CompiledVersion } from "#lib/executions/compiled-version.ts";
import { recordedOutcomes } from "#lib/executions/recorded-outcomes.ts";

/** What is taken over from the original: outcomes of the nodes that neither are `fromNode` nor follow it. */
export interface Kept {
  readonly done: readonly string[];
  /** Nodes that the new run leaves alone, because the original did not get to them. */
  readonly skipped: readonly string[];
}

/** What a run from this node takes over from an earlier one. Throws VALIDATION_ERROR (`fromNode`). */
export async function nodesToKeep(originalId: string, { graph }: CompiledVersion, fromNode: string): Promise<Kept> {
  if (!graph.byId.has(fromNode)) throw invalidFromNode(`there is no node "${fromNode}" in the flow`);
  const outcomes = (await recordedOutcomes([originalId])).get(originalId) ?? new Map<string, Outcome>();
  // A failure that nothing caught ended the original: it leads nowhere.
  for (const [id, outcome] of outcomes) {
    if (outcome.status === "failed" && graph.byId.get(id)?.catches !== true) outcomes.delete(id);
  }
  const ancestors = new Set(ancestorsOf(graph, fromNode));
  const isReached = ({ incoming }: GraphNode) =>
    incoming.length === 0 ||
    incoming.some((edge) => edge.source === triggerSource || leavesBy(outcomes.get(edge.source), edge.handle));
  const needed = graph.order.filter((node) => ancestors.has(node.node.id) && isReached(node));
  const missing = needed.filter((node) => !outcomes.has(node.node.id)).map((node) => `"${node.node.id}"`);
  if (missing.length > 0 || !isReached(graph.byId.get(fromNode) as GraphNode)) {
    const what = missing.length > 0 ? `has no output of ${missing.join(", ")}` : "did not get to it";
    throw invalidFromNode(`the original execution ${what}`);
  }
  const following = descendantsOf(graph, fromNode);
  const others = [...graph.byId.keys()].filter((id) => !following.has(id));
  return { done: others.filter((id) => outcomes.has(id)), skipped: others.filter((id) => !outcomes.has(id)) };
}

function invalidFromNode(message: string): AppError {
  return new AppError("VALIDATION_ERROR", "The execution cannot be retried from this node", {
    details: { fromNode: message },
  });
}
