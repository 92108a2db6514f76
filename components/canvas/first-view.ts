import { type FitViewOptions, useReactFlow, useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { triggerSource } from "#lib/engine/flow.ts";

const begin = { zoom: 0.8, margin: 16, narrow: 600 } as const;

interface FirstViewProps {
  readonly fit: FitViewOptions;
  /** All of it, however small. */
  readonly whole?: boolean;
  /** Below this zoom the whole flow is too small to be of use. */
  readonly readable?: number;
}

/** Shows the whole flow at first; where that would be too small to read, its beginning. */
export function FirstView({ fit, whole = false, readable = 0 }: FirstViewProps): null {
  const { getInternalNode, getNodes, getNodesBounds, setViewport, fitView, viewportInitialized } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const shown = useRef(false);
  useEffect(() => {
    const trigger = getInternalNode(triggerSource);
    if (shown.current || !viewportInitialized || width === 0 || trigger === undefined) return;
    shown.current = true;
    const { zoom, margin, narrow } = begin;
    const { x, y } = trigger.internals.positionAbsolute;
    const all = getNodesBounds(getNodes());
    const isTooSmall = Math.min(width / all.width, height / all.height) < readable;
    const isBegun = !whole && (width < narrow || isTooSmall);
    void (isBegun ? setViewport({ zoom, x: margin - x * zoom, y: height / 2 - (y + 30) * zoom }) : fitView(fit));
  }, [
    viewportInitialized,
    width,
    height,
    fit,
    whole,
    readable,
    getInternalNode,
    getNodes,
    getNodesBounds,
    setViewport,
    fitView,
  ]);
  return null;
}
