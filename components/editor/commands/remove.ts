import { canvasOf, withCanvas } from "#components/editor/draft/canvas-settings.ts";
import type { Command, FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { handleOf } from "#lib/engine/graph.ts";
import { errorHandle } from "#lib/engine/outcome.ts";
import { connect } from "./connect.ts";

/** The selection on the canvas: cards, notes and groups by canvas id, and edges. */
export interface Selection {
  readonly nodes: ReadonlySet<string>;
  readonly edges: ReadonlySet<string>;
}

/** Removes nodes, notes, groups and edges: a group with its contents, a node with its edges. The trigger stays. */
export function remove({ nodes: selected, edges: goneEdges }: Selection): Command {
  return (draft) => {
    const removed = withMembers(draft, selected);
    const nodes = draft.nodes.filter((node) => !removed.has(node.id));
    const lost = new Set(draft.nodes.filter((node) => removed.has(node.id)).map((node) => node.id));
    const edges = draft.edges.filter(
      (edge) => !goneEdges.has(edge.id) && !lost.has(edge.source) && !lost.has(edge.target),
    );
    const isSame = nodes.length === draft.nodes.length && edges.length === draft.edges.length;
    return withoutOnCanvas(isSame ? draft : { ...draft, nodes, edges }, removed);
  };
}

/** Removes pins and group members whose nodes no longer exist. */
export function withoutLost(draft: FlowDraft): FlowDraft {
  const there = new Set(draft.nodes.map((node) => node.id));
  const { groups, pins } = canvasOf(draft);
  const named = [...groups.flatMap((group) => group.nodeIds), ...Object.keys(pins)];
  return withoutOnCanvas(draft, new Set(named.filter((id) => !there.has(id))));
}

function withoutOnCanvas(draft: FlowDraft, removed: ReadonlySet<string>): FlowDraft {
  const canvas = canvasOf(draft);
  const notes = canvas.notes.filter((note) => !removed.has(note.id));
  const groups = canvas.groups
    .filter((group) => !removed.has(group.id))
    .map((group) => ({ ...group, nodeIds: group.nodeIds.filter((id) => !removed.has(id)) }))
    .filter((group) => group.nodeIds.length > 0);
  const pins = Object.fromEntries(Object.entries(canvas.pins).filter(([id]) => !removed.has(id)));
  const isSame =
    notes.length === canvas.notes.length &&
    groups.length === canvas.groups.length &&
    groups.every((group, index) => group.nodeIds.length === canvas.groups[index]?.nodeIds.length) &&
    Object.keys(pins).length === Object.keys(canvas.pins).length;
  return isSame ? draft : withCanvas(draft, { notes, groups, pins });
}

/**
 * Removes a selection, and connects what led to removed nodes with the one node after them, which would otherwise start
 * with the trigger. Several nodes after them are not connected, nor is what handled their error.
 */
export function removeAndJoin(selection: Selection): Command {
  return (draft) => {
    const removed = withMembers(draft, selection.nodes);
    const edges = draft.edges.filter(({ id }) => !selection.edges.has(id));
    const onward = Map.groupBy(
      edges.filter((edge) => handleOf(edge) !== errorHandle),
      ({ source }) => source,
    );
    const joins = edges
      .filter((edge) => removed.has(edge.target) && !removed.has(edge.source))
      .flatMap((edge) => {
        const reached = new Set([edge.target]);
        for (const id of reached)
          if (removed.has(id)) for (const { target } of onward.get(id) ?? []) reached.add(target);
        const [next, ...others] = [...reached].filter((id) => !removed.has(id));
        if (next === undefined || others.length > 0) return [];
        return [{ source: edge.source, handle: handleOf(edge), target: next }];
      });
    return joins.reduce((left, edge) => connect(edge)(left), remove(selection)(draft));
  };
}

/** The selection, including the contents of its groups. */
export function withMembers(draft: FlowDraft, ids: ReadonlySet<string>): ReadonlySet<string> {
  const members = canvasOf(draft)
    .groups.filter((group) => ids.has(group.id))
    .flatMap((group) => group.nodeIds);
  return members.length === 0 ? ids : new Set([...ids, ...members]);
}
