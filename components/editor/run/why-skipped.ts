import type { ShownNodeExecution } from "#lib/contract/executions.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { handleOf } from "#lib/engine/graph.ts";
import type { FlowDraft } from "../draft/flow-draft.ts";

/** What decided that a node did not run: the node that went another way, and why. */
export interface Decision {
  readonly nodeId: string;
  /** In words: "it left by false", "it failed". */
  readonly what: string;
  /** What it decided on, as it was written; null where that says nothing. */
  readonly condition: string | null;
}

/** Walks back from a node that did not run to what decided so, one for each way that could have led there. */
export function whySkipped(
  draft: Pick<FlowDraft, "nodes" | "edges">,
  nodes: ReadonlyMap<string, ShownNodeExecution>,
  id: string,
): Decision[] {
  const incoming = Map.groupBy(draft.edges, (edge) => edge.target);
  const found = new Map<string, Decision>();
  const seen = new Set<string>();
  let reached = [id];
  while (reached.length > 0) {
    const next: string[] = [];
    for (const at of reached) {
      for (const edge of incoming.get(at) ?? []) {
        if (edge.source === triggerSource || seen.has(edge.source)) continue;
        const run = nodes.get(edge.source);
        if (run === undefined || run.status === "skipped") {
          seen.add(edge.source);
          next.push(edge.source);
        } else if (!found.has(edge.source)) {
          const decision = decisionOf(draft, run, handleOf(edge));
          if (decision !== null) found.set(edge.source, decision);
        }
      }
    }
    reached = next;
  }
  return [...found.values()];
}

function decisionOf(
  { nodes }: Pick<FlowDraft, "nodes">,
  run: ShownNodeExecution,
  wanted: string | null,
): Decision | null {
  const node = nodes.find((candidate) => candidate.id === run.nodeId);
  if (run.status === "failed") return { nodeId: run.nodeId, what: "it failed", condition: null };
  if (run.status !== "completed") return { nodeId: run.nodeId, what: `it was ${run.status}`, condition: null };
  const left = run.handle ?? null;
  if (left === wanted || wanted === null) return null;
  const written = node?.config.condition ?? node?.config.value;
  return {
    nodeId: run.nodeId,
    what: wanted === "error" ? "it did not fail" : `it left by ${left ?? "its plain handle"}, not by ${wanted}`,
    condition: typeof written === "string" && wanted !== "error" ? written : null,
  };
}
