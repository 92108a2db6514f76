import type { EdgeChange, NodeChange } from "@xyflow/react";
import { useCallback, useState } from "react";
import { move, type Place } from "../commands/move.ts";
import { useEditor } from "../state/editor-context.ts";

const nobody: ReadonlyMap<string, Place> = new Map();

/**
 * What React Flow reports: cards that are being dragged, kept apart until they are let go, so that a drag is one
 * entry of the history; and what is selected.
 */
export function useCanvasChanges() {
  const editor = useEditor();
  const [moving, setMoving] = useState(nobody);

  const onNodesChange = useCallback(
    (changes: NodeChange[]) => {
      const dragged = new Map<string, Place>();
      let isLetGo = false;
      for (const change of changes) {
        if (change.type !== "position" || change.position === undefined) continue;
        dragged.set(change.id, change.position);
        if (change.dragging === false) isLetGo = true;
      }
      if (dragged.size > 0 && isLetGo) {
        editor.change(dragged.size === 1 ? "Move it" : `Move ${dragged.size} things`, move(dragged));
        setMoving(nobody);
      } else if (dragged.size > 0) setMoving((before) => new Map([...before, ...dragged]));
      const chosen = changes.filter((change) => change.type === "select");
      if (chosen.length === 0) return;
      const { nodes, edges } = editor.selection;
      editor.select(applied(nodes, chosen), edges);
    },
    [editor],
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
  return { moving, onNodesChange, onEdgesChange };
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
