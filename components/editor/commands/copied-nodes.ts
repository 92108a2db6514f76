import { z } from "zod";
import { type FlowNode, flowEdge, flowNode, triggerSource } from "#lib/engine/flow.ts";
import type { DraftEdge, FlowDraft } from "../draft/flow-draft.ts";
import { identifyEdges } from "../draft/open-draft.ts";

/** Nodes as text on the clipboard, and the edges between them. */
export interface CopiedNodes {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly DraftEdge[];
}

const mark = "millrace/nodes";

const clipboardText = z.object({
  kind: z.literal(mark),
  nodes: z.array(flowNode).min(1),
  edges: z.array(flowEdge).catch([]),
});

/** An exported flow can be pasted too: its nodes are taken. */
const exportedFlow = z.object({
  flow: z.object({ nodes: z.array(flowNode).min(1), edges: z.array(flowEdge).catch([]) }),
});

/** What a selection is on the clipboard; null when no node is selected. */
export function copyNodes(draft: FlowDraft, ids: ReadonlySet<string>): string | null {
  const nodes = draft.nodes.filter((node) => ids.has(node.id));
  if (nodes.length === 0) return null;
  const edges = draft.edges.filter((edge) => ids.has(edge.source) && ids.has(edge.target));
  return JSON.stringify({ kind: mark, nodes, edges }, null, 2);
}

/** Reads text from the clipboard; null when it is not nodes, or not JSON at all. */
export function readCopiedNodes(text: string): CopiedNodes | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const own = clipboardText.safeParse(json);
  const found = own.success ? own.data : exportedFlow.safeParse(json).data?.flow;
  if (found === undefined) return null;
  const nodes = found.nodes.filter((node) => node.id !== triggerSource);
  const ids = new Set(nodes.map((node) => node.id));
  const edges = found.edges.filter((edge) => ids.has(edge.source) && ids.has(edge.target));
  return nodes.length === 0 ? null : { nodes, edges: identifyEdges(nodes, edges) };
}
