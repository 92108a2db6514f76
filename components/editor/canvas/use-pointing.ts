import type { Edge, Node } from "@xyflow/react";
import { type MouseEvent, useMemo, useState } from "react";
import type { ContextMenuPlace } from "../actions/context-menu.tsx";
import { useSession } from "../state/editor-context.ts";

export type OpenMenu = (place: ContextMenuPlace) => void;

/**
 * Pointer events on cards, wires and the canvas, and the hovered wire. The handlers are stable: with new ones React
 * Flow would redraw every card and wire.
 */
export function usePointing(openMenu: OpenMenu) {
  const { editor, view } = useSession();
  const [hovered, setHovered] = useState<string | null>(null);
  const pointing = useMemo(() => {
    const open = (event: Pick<MouseEvent, "clientX" | "clientY" | "preventDefault">, on: ContextMenuPlace["on"]) => {
      event.preventDefault();
      openMenu({ x: event.clientX, y: event.clientY, on });
    };
    /** Zoomed out, the canvas itself has to find the wire. */
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
          // After the card is in its final place.
          requestAnimationFrame(() => editor.store.setState({ isDragging: false }));
        };
        // However it ends: React Flow does not report an aborted drag.
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
