import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { triggerSource } from "#lib/engine/flow.ts";

const narrow = { width: 600, zoom: 0.8, margin: 16 } as const;

/** Where the whole flow would be too small to read, the view begins at its trigger instead. */
export function BeginAtTrigger(): null {
  const { getInternalNode, setViewport } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const begun = useRef(false);
  useEffect(() => {
    const trigger = getInternalNode(triggerSource);
    if (begun.current || width === 0 || trigger === undefined) return;
    begun.current = true;
    if (width >= narrow.width) return;
    const { x, y } = trigger.internals.positionAbsolute;
    const { zoom, margin } = narrow;
    void setViewport({ zoom, x: margin - x * zoom, y: height / 2 - (y + 30) * zoom });
  }, [width, height, getInternalNode, setViewport]);
  return null;
}
