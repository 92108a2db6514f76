import { type FitViewOptions, useReactFlow, useStoreApi } from "@xyflow/react";
import { useEffect } from "react";
import { useSession } from "../state/editor-context.ts";

const margin = 40;
const fit: FitViewOptions = { maxZoom: 1, minZoom: 0.1, padding: 0.1 };

/** A card that was just added is in the page some frames later. */
function whenDrawn(id: string, use: (element: HTMLElement) => void, frames = 30): void {
  const element = document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
  if (element !== null) use(element);
  else if (frames > 0) requestAnimationFrame(() => whenDrawn(id, use, frames - 1));
}

/** Lets actions reach the canvas: to look at, to find places on. */
export function ViewPort(): null {
  const { view } = useSession();
  const flow = useReactFlow();
  const api = useStoreApi();
  useEffect(() => {
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const duration = isStill ? 0 : 160;
    const size = () => api.getState();
    view.port = {
      zoomIn: () => void flow.zoomIn({ duration }),
      zoomOut: () => void flow.zoomOut({ duration }),
      zoomTo: (zoom) => void flow.zoomTo(zoom, { duration }),
      fit: (ids) => void flow.fitView({ ...fit, duration, ...(ids && { nodes: ids.map((id) => ({ id })) }) }),
      focus: (id) =>
        whenDrawn(id, (element) => {
          const node = flow.getNode(id);
          if (node === undefined) return;
          const { zoom, x, y } = flow.getViewport();
          const { width, height } = size();
          const left = node.position.x * zoom + x;
          const top = node.position.y * zoom + y;
          const right = left + (node.width ?? 0) * zoom;
          const bottom = top + (node.height ?? 0) * zoom;
          const across = right > width - margin ? width - margin - right : left < margin ? margin - left : 0;
          const down = bottom > height - margin ? height - margin - bottom : top < margin ? margin - top : 0;
          if (across !== 0 || down !== 0) void flow.setViewport({ zoom, x: x + across, y: y + down }, { duration });
          element.focus({ preventScroll: true });
        }),
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
