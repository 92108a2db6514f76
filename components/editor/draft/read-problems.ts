import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import type { Problem } from "#lib/engine/graph.ts";

/** An error's details, path by path, as problems of nodes. */
export function readProblems(details: Readonly<Record<string, unknown>>, draft: FlowDraft): Problem[] {
  return Object.entries(details).map(([path, message]) => {
    const nodeId = nodeOf(path, draft);
    return { path, message: String(message), ...(nodeId === undefined ? {} : { nodeId }) };
  });
}

function nodeOf(path: string, draft: FlowDraft): string | undefined {
  if (path.startsWith(`${triggerSource}.`)) return triggerSource;
  const [, list, index] = /^(nodes|edges)\[(\d+)\]/.exec(path) ?? [];
  if (list === "nodes") return draft.nodes[Number(index)]?.id;
  return list === "edges" ? draft.edges[Number(index)]?.target : undefined;
}

/** The node on the canvas that a problem belongs to: for one in a loop's body, the loop. */
export function ownerOf(
  path: string,
  nodeId: string | undefined,
  { nodes }: Pick<FlowDraft, "nodes">,
): string | undefined {
  const [, index] = /^nodes\[(\d+)\]\.config\.body\./.exec(path) ?? [];
  return index === undefined ? nodeId : nodes[Number(index)]?.id;
}

/** The field that a problem is about, as the path within a node's config; null if it is not about its config. */
export function configPathOf({ path }: Pick<Problem, "path">): string | null {
  return /^(?:nodes\[\d+\]|trigger)\.config\.?(.*)$/.exec(path)?.[1] ?? null;
}
