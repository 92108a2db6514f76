import type { Edge, Node } from "@xyflow/react";
import { type MouseEvent, useMemo } from "react";
import { plainHandleId } from "#components/canvas/flow-graph.ts";
import type { ContextMenuPlace } from "../actions/context-menu.tsx";
import { openBody } from "../levels/level-actions.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import type { AddTarget } from "../state/editor-state.ts";

export type OpenMenu = (place: ContextMenuPlace) => void;

/**
 * Pointer events on cards, wires and the canvas, and the hovered wire. The handlers are stable: with new ones React
 * Flow would redraw every card and wire.
 */
export function usePointing(openMenu: OpenMenu) {
  const session = useSession();
  const { editor, view } = session;
  const hovered = useEditorState((state) => state.hoveredWire);
  const pointing = useMemo(() => {
    const setHovered = (hoveredWire: string | null) => {
      if (editor.store.getState().hoveredWire !== hoveredWire) editor.store.setState({ hoveredWire });
    };
    const setHoveredCard = (hoveredCard: string | null) => {
      if (editor.store.getState().hoveredCard !== hoveredCard) editor.store.setState({ hoveredCard });
    };
    const open = (event: Pick<MouseEvent, "clientX" | "clientY" | "preventDefault">, on: ContextMenuPlace["on"]) => {
      event.preventDefault();
      openMenu({ x: event.clientX, y: event.clientY, on });
    };
    /** Zoomed out, the canvas itself has to find the wire. */
    const storedWireAt = ({ clientX, clientY }: Pick<MouseEvent, "clientX" | "clientY">) => {
      const id = view.farWireAt?.({ x: clientX, y: clientY }) ?? null;
      return editor.level.edges.some((edge) => edge.id === id) ? id : null;
    };
    return {
      onNodeDragStart: () => {
        editor.store.setState({ isDragging: true });
        const listening = new AbortController();
        const end = () => {
          listening.abort();
          // Once the card is in its final position.
          requestAnimationFrame(() => editor.store.setState({ isDragging: false, dropInto: null }));
        };
        // However the drag ends: React Flow does not report an aborted one.
        for (const name of ["pointerup", "pointercancel"]) {
          window.addEventListener(name, end, { signal: listening.signal });
        }
      },
      // Not on entering: while the view moves, cards pass under a resting pointer.
      onNodeMouseMove: (_: MouseEvent, node: Node) => setHoveredCard(node.id),
      onNodeMouseLeave: ({ relatedTarget }: MouseEvent) => {
        const isOnTools = relatedTarget instanceof Element && relatedTarget.closest("[data-card-tools]") !== null;
        if (!isOnTools) setHoveredCard(null);
      },
      onNodeClick: (event: MouseEvent, node: Node) => {
        const ends = endsAt(event.target, node.id);
        if (ends !== null) {
          editor.askWhatToAdd({ screen: { x: event.clientX + 12, y: event.clientY - 12 }, at: null, ...ends });
          return;
        }
        const type = editor.typeOf(editor.level.nodes.find(({ id }) => id === node.id)?.type ?? "");
        if (type?.hasBody) onDoubleClick(() => openBody(session, node.id));
        const isAdding = event.shiftKey || event.metaKey || event.ctrlKey;
        if (!isAdding && editor.selection.nodes.size > 1) editor.select([node.id]);
      },
      onEdgeMouseMove: (_: MouseEvent, edge: Edge) => setHovered(edge.id),
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
  }, [session, editor, view, openMenu]);
  return { hovered, pointing };
}

const doubleClickMs = 500;

/** Runs it if the current click becomes a double click, even if the card has moved to make room for the panel. */
function onDoubleClick(run: () => void): void {
  const listening = new AbortController();
  const { signal } = listening;
  window.addEventListener("dblclick", run, { signal, once: true });
  setTimeout(() => listening.abort(), doubleClickMs);
}

/** The handle that was clicked, and whether it leads in or out; null beside the handles. */
function endsAt(target: EventTarget, nodeId: string): Pick<AddTarget, "after" | "before"> | null {
  const handle = target instanceof Element ? target.closest<HTMLElement>(".react-flow__handle") : null;
  if (handle === null) return null;
  if (handle.classList.contains("target")) return { before: nodeId };
  const id = handle.dataset.handleid ?? plainHandleId;
  return { after: { source: nodeId, handle: id === plainHandleId ? null : id } };
}
