import type { NodeType } from "#lib/contract/node-types.ts";
import { type FlowNode, flowLimits } from "#lib/engine/flow.ts";
import { handleOf } from "#lib/engine/graph.ts";
import { canvasOf, withCanvas } from "../draft/canvas-settings.ts";
import type { DraftEdge, FlowDraft } from "../draft/flow-draft.ts";
import { newId, newName } from "../draft/new-id.ts";
import { idsWithin, takenIds, withNewIds } from "../draft/node-ids.ts";
import { freshEdge } from "./connect.ts";
import { type CopiedNodes, cornerOf } from "./copied-nodes.ts";
import type { Place } from "./move.ts";

/** A flow with nodes pasted into it, and the ids that they got. */
export interface Pasted {
  readonly draft: FlowDraft;
  readonly ids: ReadonlySet<string>;
}

/**
 * Puts copied nodes, notes and groups into a flow. Everything gets an id that is free here, and expressions that read
 * another pasted node read it by its new id; those that read a node which was not copied stay as they are. `at`: where
 * the upper left corner of what is pasted comes to stand. Throws RangeError when the flow would have too many nodes.
 */
export function paste(draft: FlowDraft, copied: CopiedNodes, at: Place, types: readonly NodeType[]): Pasted {
  if (idsWithin(draft.nodes).length + idsWithin(copied.nodes).length > flowLimits.nodesMax) {
    throw new RangeError(`A flow has at most ${flowLimits.nodesMax} nodes`);
  }
  const renames = chooseIds(draft, copied.nodes);
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
  const isPlain = pastedNotes.length + pastedGroups.length === 0;
  return {
    draft: isPlain
      ? joined
      : withCanvas(joined, { notes: [...notes, ...pastedNotes], groups: [...groups, ...pastedGroups] }),
    ids: new Set([...nodes, ...pastedNotes, ...pastedGroups].map(({ id }) => id)),
  };
}

/** Notes or groups with ids that none of those here has. */
function withFreshIds<Item extends { readonly id: string }>(items: readonly Item[], here: readonly Item[]): Item[] {
  const taken = new Set(here.map((item) => item.id));
  return items.map((item) => {
    const id = newId(item.id, taken);
    taken.add(id);
    return { ...item, id };
  });
}

/** Free among the flow's own ids and among those that the other pasted nodes got; those in loops' bodies included. */
function chooseIds(draft: FlowDraft, nodes: readonly FlowNode[]): Map<string, string> {
  const taken = takenIds(draft.nodes);
  const ids = new Map<string, string>();
  for (const wanted of idsWithin(nodes)) {
    const id = taken.has(wanted) ? newId(wanted, taken) : wanted;
    taken.add(id);
    ids.set(wanted, id);
  }
  return ids;
}
