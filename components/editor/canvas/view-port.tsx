import { type FitViewOptions, useReactFlow, useStore, useStoreApi } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { motionMs, moveIntoView } from "#components/canvas/canvas-view.ts";
import { useSession } from "../state/editor-context.ts";

const margin = 40;
const lookedForFrames = 30;
const fit: FitViewOptions = { maxZoom: 1, minZoom: 0.1, padding: 0.1 };

/**
 * A card that was just added or selected can be focused a frame or more later. If the user has moved on meanwhile,
 * focus is not stolen: they may already have pressed the next key.
 */
function whenFocusable(id: string, use: (element: HTMLElement) => void): void {
  const focused = document.activeElement;
  const look = (frames: number) => {
    const { activeElement } = document;
    if (frames === 0 || (activeElement !== focused && activeElement !== document.body)) return;
    const element = document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
    if (element !== null && element.tabIndex >= 0) use(element);
    else requestAnimationFrame(() => look(frames - 1));
  };
  look(lookedForFrames);
}

/** Keeps the middle of the view in place when the drawer below opens or closes. */
function useSteadyMiddle(): void {
  const { getViewport, setViewport } = useReactFlow();
  const height = useStore((state) => state.height);
  const before = useRef(0);
  useEffect(() => {
    const change = before.current === 0 ? 0 : height - before.current;
    before.current = height;
    if (change === 0 || height === 0) return;
    const { x, y, zoom } = getViewport();
    void setViewport({ x, y: y + change / 2, zoom });
  }, [height, getViewport, setViewport]);
}

/** Gives actions access to the canvas. */
export function ViewPort(): null {
  const { view } = useSession();
  const flow = useReactFlow();
  const api = useStoreApi();
  useSteadyMiddle();
  useEffect(() => {
    const duration = motionMs();
    const size = () => api.getState();
    view.port = {
      zoomIn: () => void flow.zoomIn({ duration }),
      zoomOut: () => void flow.zoomOut({ duration }),
      zoomTo: (zoom) => void flow.zoomTo(zoom, { duration }),
      fit: (ids) => void flow.fitView({ ...fit, duration, ...(ids && { nodes: ids.map((id) => ({ id })) }) }),
      focus: (id) =>
        whenFocusable(id, (element) => {
          const node = flow.getNode(id);
          if (node === undefined) return;
          const box = { ...node.position, width: node.width ?? 0, height: node.height ?? 0 };
          const moved = moveIntoView(box, flow.getViewport(), size(), margin);
          if (moved !== null) void flow.setViewport(moved, { duration });
          element.focus({ preventScroll: true });
        }),
      focused: () => document.activeElement?.closest<HTMLElement>(".react-flow__node")?.dataset.id ?? null,
      toCanvas: (point) => flow.screenToFlowPosition(point),
      toScreen: (point) => flow.flowToScreenPosition(point),
      middle: () => {
        const { domNode } = size();
        const box = domNode?.getBoundingClientRect();
        if (box === undefined) return { x: 0, y: 0 };
        return flow.screenToFlowPosition({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
      },
    };
    return () => {
      view.port = null;
    };
  }, [view, flow, api]);
  return null;
}
