import { type EdgeChange, type NodeChange, useStoreApi } from "@xyflow/react";
import { useCallback, useState } from "react";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { move, type Place } from "../commands/move.ts";
import { canvasOf } from "../draft/canvas-settings.ts";
import { useEditor } from "../state/editor-context.ts";

/** Space between a group's frame and its nodes, as in `groupBoxes`. */
const framePadding = { x: 20, y: 40 } as const;
const nobody: ReadonlyMap<string, Place> = new Map();
/** Notes that are being resized. */
export type Sizes = ReadonlyMap<string, { readonly width: number; readonly height: number }>;
const nothing: Sizes = new Map();

/**
 * Handles React Flow's changes: dragged cards are kept apart until dropped, so that a drag is one history entry; and
 * the selection.
 */
export function useCanvasChanges() {
  const editor = useEditor();
  const flow = useStoreApi();
  const [moving, setMoving] = useState(nobody);
  const [sizes, setSizes] = useState(nothing);

  const onNodesChange = useCallback(
    (changes: NodeChange[]) => {
      const dragged = new Map<string, Place>();
      let isLetGo = false;
      for (const change of changes) {
        if (change.type === "dimensions" && change.dimensions !== undefined && change.resizing !== undefined) {
          setSizes(change.resizing ? new Map([[change.id, change.dimensions]]) : nothing);
          // The note has its final place, too.
          if (!change.resizing) setMoving(nobody);
        }
        if (change.type !== "position" || change.position === undefined) continue;
        for (const [id, place] of carried(editor.level, change.id, change.position)) dragged.set(id, place);
        if (change.dragging === false) isLetGo = true;
      }
      if (dragged.size > 0 && isLetGo && editor.store.getState().dropInto !== null) {
        // They move to another level: that is the only change.
        setMoving(nobody);
      } else if (dragged.size > 0 && isLetGo) {
        editor.change(dragged.size === 1 ? "Move it" : `Move ${dragged.size} items`, move(dragged));
        setMoving(nobody);
      } else if (dragged.size > 0) setMoving((before) => new Map([...before, ...dragged]));
      const chosen = changes.filter((change) => change.type === "select");
      if (chosen.length === 0) return;
      const { nodes, edges } = editor.selection;
      const next = applied(nodes, chosen);
      editor.select(flow.getState().userSelectionActive ? withWholeGroups(editor.level, next) : next, edges);
    },
    [editor, flow],
  );

  const onEdgesChange = useCallback(
    (changes: EdgeChange[]) => {
      const chosen = changes.filter((change) => change.type === "select");
      if (chosen.length === 0) return;
      const { nodes, edges } = editor.selection;
      editor.select(nodes, applied(edges, chosen));
    },
    [editor],
  );
  return { moving, sizes, onNodesChange, onEdgesChange };
}

/** The items that move along with an item: a group moves its nodes. */
function carried(draft: FlowDraft, id: string, to: Place): [string, Place][] {
  const group = canvasOf(draft).groups.find((candidate) => candidate.id === id);
  if (group === undefined) return [[id, to]];
  const members = draft.nodes.filter((node) => group.nodeIds.includes(node.id));
  const padding = group.collapsed ? { x: 0, y: 0 } : framePadding;
  const left = Math.min(...members.map((node) => node.position.x)) - padding.x;
  const top = Math.min(...members.map((node) => node.position.y)) - padding.y;
  return members.map((node) => [node.id, { x: node.position.x + to.x - left, y: node.position.y + to.y - top }]);
}

/** A selection box drawn inside an open group touches its frame: the group is selected only if everything in it is. */
function withWholeGroups(draft: FlowDraft, selected: ReadonlySet<string>): Set<string> {
  const next = new Set(selected);
  for (const { id, nodeIds, collapsed } of canvasOf(draft).groups) {
    if (collapsed) continue;
    if (nodeIds.every((member) => next.has(member))) next.add(id);
    else next.delete(id);
  }
  return next;
}

function applied(
  before: ReadonlySet<string>,
  changes: readonly { readonly id: string; readonly selected: boolean }[],
): Set<string> {
  const next = new Set(before);
  for (const { id, selected } of changes) {
    if (selected) next.add(id);
    else next.delete(id);
  }
  return next;
}
