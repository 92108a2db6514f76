import { z } from "zod";
import { traitsIn } from "#components/canvas/flow-graph.ts";
import {
  type CanvasGroup,
  type CanvasNote,
  type CanvasSettings,
  canvasGroup,
  canvasNote,
  canvasOf,
  canvasSettings,
  renameBodies,
  withCanvas,
} from "#components/editor/draft/canvas-settings.ts";
import { idsWithin, newId, newName, takenIds, withNewIds } from "#components/editor/draft/node-ids.ts";
import { allPlaced } from "#components/editor/levels/level.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { type DraftEdge, type FlowDraft, identifyEdges } from "#lib/engine/changes/flow-draft.ts";
import { type FlowNode, flowEdge, flowLimits, flowNode, triggerSource } from "#lib/engine/flow.ts";
import { handleOf } from "#lib/engine/graph.ts";
import { textDepth } from "#lib/engine/json.ts";
import { freshEdge } from "./connect.ts";
import type { Place } from "./move.ts";
import { withMembers } from "./remove.ts";

/** The clipboard's text: nodes, the edges between them, and the notes and groups copied with them. */
export interface CopiedNodes {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly DraftEdge[];
  readonly notes: readonly CanvasNote[];
  readonly groups: readonly CanvasGroup[];
  /** Notes and groups in the copied loops. */
  readonly bodies: CanvasSettings["bodies"];
}

const mark = "millrace/nodes";

const bodies = canvasSettings.shape.bodies;
const onCanvas = { bodies, notes: z.array(canvasNote).catch([]), groups: z.array(canvasGroup).catch([]) };
const parts = { nodes: z.array(flowNode), edges: z.array(flowEdge).catch([]) };
const clipboardText = z.object({ kind: z.literal(mark), ...parts, ...onCanvas });

const nothingOnCanvas = { bodies: {}, notes: [], groups: [] };

/** A flow, exported or as a `POST /flows` body, can be pasted, too: its nodes, notes and groups are taken. */
const plainFlow = z.object({
  ...parts,
  settings: z.object({ canvas: z.object(onCanvas).catch(nothingOnCanvas) }).catch({
    canvas: nothingOnCanvas,
  }),
});
const exportedFlow = z.object({ flow: plainFlow });

/** The clipboard's text for a selection, including the contents of groups; null if there is nothing to copy. */
export function copyNodes(draft: FlowDraft, selected: ReadonlySet<string>, types: readonly NodeType[]): string | null {
  const ids = withMembers(draft, selected);
  const nodes = draft.nodes.filter((node) => ids.has(node.id));
  const notes = canvasOf(draft).notes.filter((note) => ids.has(note.id));
  const groups = canvasOf(draft).groups.filter((group) => ids.has(group.id));
  if (nodes.length + notes.length === 0) return null;
  const edges = draft.edges.filter((edge) => ids.has(edge.source) && ids.has(edge.target));
  const inBodies = new Set(idsWithin(nodes, types));
  const bodies = Object.fromEntries(Object.entries(canvasOf(draft).bodies).filter(([id]) => inBodies.has(id)));
  return JSON.stringify({ kind: mark, nodes, edges, notes, groups, bodies }, null, 2);
}

/** Parses clipboard text; null if it is not nodes or not JSON. Throws RangeError if no flow may be nested as deeply. */
export function readCopiedNodes(text: string, types: readonly NodeType[]): CopiedNodes | null {
  if (textDepth(text, flowLimits.levelsMax) > flowLimits.levelsMax) {
    throw new RangeError(`A flow may be nested ${flowLimits.levelsMax} levels deep`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const found = readParts(json);
  if (found === null) return null;
  const nodes = withDistinctIds(
    found.nodes.filter((node) => node.id !== triggerSource),
    types,
  );
  const ids = new Set(nodes.map((node) => node.id));
  const edges = found.edges.filter((edge) => ids.has(edge.source) && ids.has(edge.target));
  const { notes, groups, bodies } = found;
  return nodes.length + notes.length === 0
    ? null
    : { nodes, edges: identifyEdges(nodes, edges, traitsIn(types)), notes, groups, bodies };
}

/** Nodes written by hand may share an id: all but the first get another. */
function withDistinctIds(nodes: readonly FlowNode[], types: readonly NodeType[]): FlowNode[] {
  const seen = new Set(idsWithin(nodes, types));
  const taken = new Set<string>();
  return nodes.map((node) => {
    const ids = idsWithin([node], types);
    const renames = new Map(ids.filter((id) => taken.has(id)).map((id) => [id, newId(id, seen)]));
    for (const id of ids) {
      taken.add(renames.get(id) ?? id);
      seen.add(renames.get(id) ?? id);
    }
    return renames.size === 0 ? node : withNewIds(node, renames, types);
  });
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

/** The flow with pasted nodes, and their ids. */
interface Pasted {
  readonly draft: FlowDraft;
  readonly ids: ReadonlySet<string>;
}

/**
 * Adds copied nodes, notes and groups to a flow, with new ids where theirs are taken. Expressions that read another
 * pasted node follow its new id; those that read a node that was not copied stay as they are. `at`: the upper left
 * corner of what is pasted. `whole`: the flow, if `draft` is one of its levels. Throws RangeError if the flow would have
 * too many nodes, or nodes of a type that this server does not have: neither could be saved.
 */
export function paste(
  draft: FlowDraft,
  copied: CopiedNodes,
  at: Place,
  types: readonly NodeType[],
  whole: FlowDraft = draft,
): Pasted {
  if (idsWithin(whole.nodes, types).length + idsWithin(copied.nodes, types).length > flowLimits.nodesMax) {
    throw new RangeError(`A flow has at most ${flowLimits.nodesMax} nodes`);
  }
  const unknown = allPlaced(copied.nodes, types).find(({ node }) => types.every(({ type }) => type !== node.type));
  if (unknown !== undefined) throw new RangeError(`This server has no node type “${unknown.node.type}”`);
  const renames = chooseIds(whole, copied.nodes, types);
  const changed = new Map([...renames].filter(([from, to]) => from !== to));
  const corner = cornerOf(copied);
  const moved = ({ x, y }: Place) => ({ x: at.x + x - corner.x, y: at.y + y - corner.y });
  const names = new Set(draft.nodes.map((node) => node.name));
  const nodes = copied.nodes.map((node): FlowNode => {
    const name = newName(node.name, names);
    names.add(name);
    return { ...withNewIds(node, changed, types), name, position: moved(node.position) };
  });
  const edges: DraftEdge[] = [...draft.edges];
  for (const edge of copied.edges) {
    const source = renames.get(edge.source);
    const target = renames.get(edge.target);
    if (source === undefined || target === undefined) continue;
    edges.push(freshEdge({ source, handle: handleOf(edge), target }, edges));
  }
  const { notes, groups } = canvasOf(draft);
  const pastedNotes = withFreshIds(copied.notes, notes).map((note) => ({ ...note, ...moved(note) }));
  const pastedGroups = withFreshIds(copied.groups, groups)
    .map((group) => ({ ...group, nodeIds: group.nodeIds.flatMap((id) => renames.get(id) ?? []) }))
    .filter((group) => group.nodeIds.length > 0);
  const joined = { ...draft, nodes: [...draft.nodes, ...nodes], edges };
  const pastedBodies = renameBodies(copied.bodies, (id) => renames.get(id));
  const isPlain = pastedNotes.length + pastedGroups.length + Object.keys(pastedBodies).length === 0;
  return {
    draft: isPlain
      ? joined
      : withCanvas(joined, {
          notes: [...notes, ...pastedNotes],
          groups: [...groups, ...pastedGroups],
          bodies: { ...canvasOf(draft).bodies, ...pastedBodies },
        }),
    ids: new Set([...nodes, ...pastedNotes, ...pastedGroups].map(({ id }) => id)),
  };
}

/** Notes or groups with ids that are unique here. */
export function withFreshIds<Item extends { readonly id: string }>(
  items: readonly Item[],
  here: readonly Item[],
): Item[] {
  const taken = new Set(here.map((item) => item.id));
  return items.map((item) => {
    const id = newId(item.id, taken);
    taken.add(id);
    return { ...item, id };
  });
}

/** An id that is free in the flow, at every level, and among the pasted nodes. */
function chooseIds(draft: FlowDraft, nodes: readonly FlowNode[], types: readonly NodeType[]): Map<string, string> {
  const taken = takenIds(draft.nodes, types);
  const ids = new Map<string, string>();
  for (const oldId of idsWithin(nodes, types)) {
    const id = taken.has(oldId) ? newId(oldId, taken) : oldId;
    taken.add(id);
    ids.set(oldId, id);
  }
  return ids;
}
