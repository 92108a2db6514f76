import { drawFlow, type FlowDocument } from "#components/canvas/flow-graph.ts";
import type { NodeRuns } from "#components/canvas/wire-data.ts";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import type { ComparedRun } from "#lib/contract/flows/backtests.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";

/** One side of a compared run, as the canvas draws it. */
interface Outcomes {
  readonly runs: NodeRuns;
  /** Nodes whose outcome is unknown. */
  readonly unknown: ReadonlySet<string>;
}

/**
 * One side of a compared run, as the canvas shows runs. The handle that a node took follows from what ran after it: the
 * comparison has no handles.
 */
export function outcomesOf(
  nodes: ComparedRun["nodes"],
  side: "before" | "after",
  flow: FlowDocument,
  types: readonly NodeType[],
): Outcomes {
  const sides = new Map(nodes.map((node) => [node.nodeId, node[side]]));
  const hasRun = (id: string) => ["completed", "failed", "cancelled"].includes(sides.get(id)?.status ?? "");
  const handles = new Map<string, string | null>();
  for (const { source, target, handle } of drawFlow(flow, types).wires) {
    if (!handles.has(source) && hasRun(target)) handles.set(source, handle);
  }
  const runs = new Map<string, ShownNodeExecution>();
  const unknown = new Set<string>();
  for (const { id, name, type } of flow.nodes) {
    const status = sides.get(id)?.status ?? "skipped";
    if (status === "unknown") {
      unknown.add(id);
      continue;
    }
    const handle = handles.get(id) ?? null;
    const times = { startedAt: null, completedAt: null, duration: null };
    runs.set(id, { nodeId: id, nodeName: name, type, status, handle, ...times });
  }
  return { runs, unknown };
}
