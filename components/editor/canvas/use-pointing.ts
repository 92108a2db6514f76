import type { Edge, Node } from "@xyflow/react";
import { type MouseEvent, useMemo, useState } from "react";
import type { ContextMenuPlace } from "../actions/context-menu.tsx";
import { useSession } from "../state/editor-context.ts";

export type OpenMenu = (place: ContextMenuPlace) => void;

/**
 * What presses on cards, wires and the canvas do, and the wire that the pointer is on. The handlers stay the same
 * ones: with new ones React Flow would draw every card and wire again.
 */
export function usePointing(openMenu: OpenMenu) {
  const { editor, view } = useSession();
  const [hovered, setHovered] = useState<string | null>(null);
  const pointing = useMemo(() => {
    const open = (event: Pick<MouseEvent, "clientX" | "clientY" | "preventDefault">, on: ContextMenuPlace["on"]) => {
      event.preventDefault();
      openMenu({ x: event.clientX, y: event.clientY, on });
    };
    /** From afar the canvas has to look for itself what was meant. */
    const storedWireAt = ({ clientX, clientY }: Pick<MouseEvent, "clientX" | "clientY">) => {
      const id = view.farWireAt?.({ x: clientX, y: clientY }) ?? null;
      return editor.draft.edges.some((edge) => edge.id === id) ? id : null;
    };
    return {
      onNodeDragStart: () => {
        editor.store.setState({ isDragging: true });
        const listening = new AbortController();
        const end = () => {
          listening.abort();
          // When the card lies where it was let go.
          requestAnimationFrame(() => editor.store.setState({ isDragging: false }));
        };
        // However it ends: React Flow says nothing of a drag that is broken off.
        for (const name of ["pointerup", "pointercancel"]) {
          window.addEventListener(name, end, { signal: listening.signal });
        }
      },
      onNodeClick: (event: MouseEvent, node: Node) => {
        const isAdding = event.shiftKey || event.metaKey || event.ctrlKey;
        if (!isAdding && editor.selection.nodes.size > 1) editor.select([node.id]);
      },
      onEdgeMouseEnter: (_: MouseEvent, edge: Edge) => setHovered(edge.id),
      onEdgeMouseLeave: ({ relatedTarget }: MouseEvent) => {
        const isOnButton = relatedTarget instanceof Element && relatedTarget.closest("[data-insert]") !== null;
        if (!isOnButton) setHovered(null);
      },
      onNodeContextMenu: (event: MouseEvent, node: Node) => {
        if (!editor.selection.nodes.has(node.id)) editor.select([node.id]);
        open(event, "node");
      },
      onSelectionContextMenu: (event: MouseEvent) => open(event, "node"),
      onEdgeContextMenu: (event: MouseEvent, edge: Edge) => {
        editor.select([], edge.selectable === false ? [] : [edge.id]);
        open(event, "edge");
      },
      onPaneContextMenu: (event: Pick<MouseEvent, "clientX" | "clientY" | "preventDefault">) => {
        const wire = storedWireAt(event);
        if (wire !== null) editor.select([], [wire]);
        open(event, wire === null ? "pane" : "edge");
      },
      onPaneClick: (event: Pick<MouseEvent, "clientX" | "clientY">) => {
        setHovered(null);
        if (view.farWireAt === null) return;
        const wire = storedWireAt(event);
        editor.select([], wire === null ? [] : [wire]);
      },
    };
  }, [editor, view, openMenu]);
  return { hovered, pointing };
}
