import { getViewportForBounds, type Rect, useReactFlow, useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { triggerSource } from "#lib/engine/flow.ts";

const begin = { zoom: 0.8, margin: 16, narrow: 600, legible: 0.5 } as const;

export interface Fit {
  readonly minZoom: number;
  readonly maxZoom: number;
  /** The margin around the flow, as a fraction of the screen. */
  readonly padding: number;
}

interface FirstViewProps {
  readonly fit: Fit;
  /** Always the whole flow, however small. */
  readonly whole?: boolean;
  /** Below this zoom the whole flow is too small to be useful. */
  readonly readable?: number;
  /** What is shown in the middle where the whole flow is too small; null: its beginning. */
  readonly focusId?: string | null;
  /** Not again while this holds, whatever the canvas's size. */
  readonly isHeld?: boolean;
}

/**
 * Initially shows the whole flow or, if that would be too small to read, one of its nodes or its beginning; and again
 * when the canvas is resized, as long as nobody has moved the view.
 */
export function FirstView({ fit, whole = false, readable = 0, focusId = null, isHeld = false }: FirstViewProps): null {
  const { getInternalNode, getNodes, getNodesBounds, getViewport, setViewport, viewportInitialized } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const shown = useRef<View | null>(null);
  useEffect(() => {
    const boxOf = (id: string): Rect | null => {
      const node = getInternalNode(id);
      return node === undefined
        ? null
        : { ...node.internals.positionAbsolute, width: node.width ?? 0, height: node.height ?? 0 };
    };
    const trigger = boxOf(triggerSource);
    if (!viewportInitialized || width === 0 || height === 0 || trigger === null) return;
    if (shown.current !== null && (isHeld || !isSameView(shown.current, getViewport()))) return;
    const focus = focusId === null ? null : boxOf(focusId);
    const options = { fit, whole, readable };
    shown.current = firstView({ all: getNodesBounds(getNodes()), trigger, focus }, { width, height }, options);
    void setViewport(shown.current);
  }, [
    viewportInitialized,
    width,
    height,
    fit,
    whole,
    readable,
    focusId,
    isHeld,
    getInternalNode,
    getNodes,
    getNodesBounds,
    getViewport,
    setViewport,
  ]);
  return null;
}

interface FirstBoxes {
  readonly all: Rect;
  readonly trigger: Rect;
  readonly focus: Rect | null;
}

/** What a canvas shows first: the whole flow, the middle of one node, or the flow's beginning. */
export function firstView(
  { all, trigger, focus }: FirstBoxes,
  { width, height }: Extent,
  { fit, whole, readable }: { readonly fit: Fit; readonly whole: boolean; readonly readable: number },
): View {
  const { zoom, margin, narrow, legible } = begin;
  const fitting = getViewportForBounds(all, width, height, fit.minZoom, fit.maxZoom, fit.padding);
  const isTooSmall = Math.min(width / all.width, height / all.height) < readable;
  if (whole || !(isTooSmall || (width < narrow && fitting.zoom < legible))) return fitting;
  if (focus === null) return { zoom, x: margin - trigger.x * zoom, y: height / 2 - (trigger.y + 30) * zoom };
  const middle = { x: focus.x + focus.width / 2, y: focus.y + focus.height / 2 };
  return { zoom, x: width / 2 - middle.x * zoom, y: height / 2 - middle.y * zoom };
}

/** Whether two views differ too little to notice. */
function isSameView(a: View, b: View): boolean {
  return Math.abs(a.x - b.x) < 1 && Math.abs(a.y - b.y) < 1 && Math.abs(a.zoom - b.zoom) < 0.001;
}

interface Extent {
  readonly width: number;
  readonly height: number;
}

interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

interface Box extends Extent {
  readonly x: number;
  readonly y: number;
}

/** The view after the smallest move that shows a box completely; null if it is visible already. */
export function moveIntoView(box: Box, view: View, screen: Extent, margin: number): View | null {
  const x = shift(box.x * view.zoom + view.x, box.width * view.zoom, screen.width, margin);
  const y = shift(box.y * view.zoom + view.y, box.height * view.zoom, screen.height, margin);
  return x === 0 && y === 0 ? null : { ...view, x: view.x + x, y: view.y + y };
}

function shift(from: number, length: number, room: number, margin: number): number {
  const to = from + length;
  if (to > room - margin) return Math.max(room - margin - to, margin - from);
  return from < margin ? margin - from : 0;
}

const margin = 40;

/** Moves the view when the selected card leaves it: the opening panel takes room from the canvas. */
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

/** Duration of view animations in milliseconds; 0 with reduced motion. */
export function motionMs(): number {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 160;
}
