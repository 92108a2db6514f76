import { type FitViewOptions, useReactFlow, useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { triggerSource } from "#lib/engine/flow.ts";

const begin = { zoom: 0.8, margin: 16, narrow: 600 } as const;

interface FirstViewProps {
  readonly fit: FitViewOptions;
  /** All of it, however small. */
  readonly whole?: boolean;
  /** Below this zoom the whole flow is too small to be useful. */
  readonly readable?: number;
  /** What is shown in the middle where the whole flow is too small; null: its beginning. */
  readonly focusId?: string | null;
}

/** Initially shows the whole flow or, if that would be too small to read, one of its nodes or its beginning. */
export function FirstView({ fit, whole = false, readable = 0, focusId = null }: FirstViewProps): null {
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
    const focus = focusId === null ? undefined : getInternalNode(focusId);
    if (isBegun && focus !== undefined) {
      const { x: left, y: top } = focus.internals.positionAbsolute;
      const middle = { x: left + (focus.width ?? 0) / 2, y: top + (focus.height ?? 0) / 2 };
      void setViewport({ zoom, x: width / 2 - middle.x * zoom, y: height / 2 - middle.y * zoom });
      return;
    }
    void (isBegun ? setViewport({ zoom, x: margin - x * zoom, y: height / 2 - (y + 30) * zoom }) : fitView(fit));
  }, [
    viewportInitialized,
    width,
    height,
    fit,
    whole,
    readable,
    focusId,
    getInternalNode,
    getNodes,
    getNodesBounds,
    setViewport,
    fitView,
  ]);
  return null;
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

const margin = 24;

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
