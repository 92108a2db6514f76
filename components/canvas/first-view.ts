import { type FitViewOptions, useReactFlow, useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { triggerSource } from "#lib/engine/flow.ts";

const narrow = { width: 600, zoom: 0.8, margin: 16 } as const;

interface FirstViewProps {
  readonly fit: FitViewOptions;
  /** All of it, however small. */
  readonly whole?: boolean;
}

/** Shows the whole flow at first; where that would be too small to read, its beginning. */
export function FirstView({ fit, whole = false }: FirstViewProps): null {
  const { getInternalNode, setViewport, fitView, viewportInitialized } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const shown = useRef(false);
  useEffect(() => {
    const trigger = getInternalNode(triggerSource);
    if (shown.current || !viewportInitialized || width === 0 || trigger === undefined) return;
    shown.current = true;
    const { zoom, margin } = narrow;
    const { x, y } = trigger.internals.positionAbsolute;
    const begin = { zoom, x: margin - x * zoom, y: height / 2 - (y + 30) * zoom };
    void (width < narrow.width && !whole ? setViewport(begin) : fitView(fit));
  }, [viewportInitialized, width, height, fit, whole, getInternalNode, setViewport, fitView]);
  return null;
}
