import { z } from "zod";
import { type FlowNode, flowEdge, flowNode, triggerSource } from "#lib/engine/flow.ts";
import { type CanvasGroup, type CanvasNote, canvasGroup, canvasNote, canvasOf } from "../draft/canvas-settings.ts";
import type { DraftEdge, FlowDraft } from "../draft/flow-draft.ts";
import { identifyEdges } from "../draft/open-draft.ts";
import type { Place } from "./move.ts";
import { withMembers } from "./with-members.ts";

/** Nodes as text on the clipboard, the edges between them, and the notes and groups that were copied with them. */
export interface CopiedNodes {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly DraftEdge[];
  readonly notes: readonly CanvasNote[];
  readonly groups: readonly CanvasGroup[];
}

const mark = "millrace/nodes";

const onCanvas = { notes: z.array(canvasNote).catch([]), groups: z.array(canvasGroup).catch([]) };
const parts = { nodes: z.array(flowNode), edges: z.array(flowEdge).catch([]) };
const clipboardText = z.object({ kind: z.literal(mark), ...parts, ...onCanvas });

/** A flow can be pasted too, exported or as `POST /flows` takes it: what stands on its canvas is taken. */
const plainFlow = z.object({
  ...parts,
  settings: z.object({ canvas: z.object(onCanvas).catch({ notes: [], groups: [] }) }).catch({
    canvas: { notes: [], groups: [] },
  }),
});
const exportedFlow = z.object({ flow: plainFlow });

/** What a selection is on the clipboard, a group with all that is in it; null when there is nothing to copy. */
export function copyNodes(draft: FlowDraft, selected: ReadonlySet<string>): string | null {
  const ids = withMembers(draft, selected);
  const nodes = draft.nodes.filter((node) => ids.has(node.id));
  const notes = canvasOf(draft).notes.filter((note) => ids.has(note.id));
  const groups = canvasOf(draft).groups.filter((group) => ids.has(group.id));
  if (nodes.length + notes.length === 0) return null;
  const edges = draft.edges.filter((edge) => ids.has(edge.source) && ids.has(edge.target));
  return JSON.stringify({ kind: mark, nodes, edges, notes, groups }, null, 2);
}

/** Reads text from the clipboard; null when it is not nodes, or not JSON at all. */
export function readCopiedNodes(text: string): CopiedNodes | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const found = readParts(json);
  if (found === null) return null;
  const nodes = found.nodes.filter((node) => node.id !== triggerSource);
  const ids = new Set(nodes.map((node) => node.id));
  const edges = found.edges.filter((edge) => ids.has(edge.source) && ids.has(edge.target));
  const { notes, groups } = found;
  return nodes.length + notes.length === 0 ? null : { nodes, edges: identifyEdges(nodes, edges), notes, groups };
}

function readParts(json: unknown) {
  const own = clipboardText.safeParse(json);
  if (own.success) return own.data;
  const flow = exportedFlow.safeParse(json).data?.flow ?? plainFlow.safeParse(json).data;
  return flow === undefined ? null : { ...flow, ...flow.settings.canvas };
}

/** The upper left corner of everything that was copied. */
export function cornerOf({ nodes, notes }: CopiedNodes): Place {
  const places: Place[] = [...nodes.map((node) => node.position), ...notes];
  return { x: Math.min(...places.map(({ x }) => x)), y: Math.min(...places.map(({ y }) => y)) };
}
