import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect } from "react";

const margin = 24;

/** Moves the view when the selected card is outside it: the panel that opens takes room from the canvas. */
export function KeepInView({ id }: { readonly id: string | null }): null {
  const { getNode, getViewport, setViewport } = useReactFlow();
  const width = useStore((state) => state.width);
  useEffect(() => {
    const node = id === null ? undefined : getNode(id);
    if (node === undefined || width === 0) return;
    const view = getViewport();
    const left = node.position.x * view.zoom + view.x;
    const right = left + (node.width ?? 0) * view.zoom;
    const shift = right > width - margin ? width - margin - right : left < margin ? margin - left : 0;
    if (shift !== 0) void setViewport({ ...view, x: view.x + shift }, { duration: 160 });
  }, [id, width, getNode, getViewport, setViewport]);
  return null;
}
