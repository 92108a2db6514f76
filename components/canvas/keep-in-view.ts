import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect } from "react";
import { moveIntoView } from "./into-view.ts";
import { motionMs } from "./motion.ts";

const margin = 24;

/** Moves the view when the selected card is outside it: the panel that opens takes room from the canvas. */
export function KeepInView({ id }: { readonly id: string | null }): null {
  const { getNode, getViewport, setViewport } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  useEffect(() => {
    const node = id === null ? undefined : getNode(id);
    if (node === undefined || width === 0) return;
    const box = { ...node.position, width: node.width ?? 0, height: node.height ?? 0 };
    const moved = moveIntoView(box, getViewport(), { width, height }, margin);
    if (moved !== null) void setViewport(moved, { duration: motionMs() });
  }, [id, width, height, getNode, getViewport, setViewport]);
  return null;
}
