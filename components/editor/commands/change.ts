import {
  type CanvasGroup,
  type CanvasNote,
  type CanvasSettings,
  canvasOf,
  withCanvas,
} from "#components/editor/draft/canvas-settings.ts";
import type { Command, FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import { handleOf } from "#lib/engine/graph.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { errorHandle } from "#lib/engine/outcome.ts";

/** Changes fields of one node. */
export function changeNode(id: string, changes: Partial<Omit<FlowNode, "id">>): Command {
  return (draft) => {
    if (!draft.nodes.some((node) => node.id === id)) return draft;
    return { ...draft, nodes: draft.nodes.map((node) => (node.id === id ? { ...node, ...changes } : node)) };
  };
}

/** Disables nodes, so that runs skip them, or enables them. */
export function setDisabled(ids: ReadonlySet<string>, isDisabled: boolean): Command {
  return (draft) => ({
    ...draft,
    nodes: draft.nodes.map((node) => {
      if (!ids.has(node.id) || (node.disabled === true) === isDisabled) return node;
      const { disabled: _, ...enabled } = node;
      return isDisabled ? { ...node, disabled: true } : enabled;
    }),
  });
}

/**
 * Replaces a node's config. Edges follow renamed handles (`renamed`: old names and new ones). Edges of removed handles
 * are removed, because nothing could take them.
 */
export function changeConfig(
  id: string,
  config: JsonObject,
  handles: readonly string[],
  renamed: ReadonlyMap<string, string> = new Map(),
): Command {
  return (draft) => {
    const changed = changeNode(id, { config })(draft);
    if (changed === draft) return draft;
    return { ...changed, edges: keptEdges(changed, id, new Set(handles), renamed) };
  };
}

function keptEdges(
  { edges }: FlowDraft,
  id: string,
  handles: ReadonlySet<string>,
  renamed: ReadonlyMap<string, string>,
): FlowDraft["edges"] {
  const next = edges.flatMap((edge) => {
    const handle = handleOf(edge);
    if (edge.source !== id || handle === null || handle === errorHandle) return [edge];
    const name = renamed.get(handle) ?? handle;
    if (!handles.has(name)) return [];
    return [name === handle ? edge : { ...edge, sourceHandle: name }];
  });
  const isSame = next.length === edges.length && next.every((edge, index) => edge === edges[index]);
  return isSame ? edges : next;
}

/** Changes a note on the canvas. */
export function changeNote(id: string, changes: Partial<Omit<CanvasNote, "id">>): Command {
  return (draft) => {
    const { notes } = canvasOf(draft);
    return withCanvas(draft, { notes: notes.map((note) => (note.id === id ? { ...note, ...changes } : note)) });
  };
}

/** Changes a group on the canvas. */
export function changeGroup(id: string, changes: Partial<Omit<CanvasGroup, "id">>): Command {
  return (draft) => {
    const { groups } = canvasOf(draft);
    return withCanvas(draft, { groups: groups.map((group) => (group.id === id ? { ...group, ...changes } : group)) });
  };
}

/** Collapses an open group, or expands a collapsed one: the label for the history, and the change. */
export function toggleGroup({ id, collapsed }: CanvasGroup): [string, Command] {
  return [collapsed ? "Expand the group" : "Collapse the group", changeGroup(id, { collapsed: !collapsed })];
}

/** Changes the flow's name, description, tags, trigger, variables or settings. */
export function changeDetails(changes: Partial<Omit<FlowDraft, "nodes" | "edges">>): Command {
  return (draft) => ({ ...draft, ...changes });
}

/** Changes the canvas settings, which runs ignore: notes, groups, samples, pinned outputs. */
export function changeCanvas(changes: Partial<CanvasSettings>): Command {
  return (draft) => withCanvas(draft, changes);
}
