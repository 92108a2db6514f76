"use client";

import { Skeleton } from "@mantine/core";
import { type ComponentProps, lazy, type ReactNode, Suspense } from "react";
import styles from "./canvas-frame.module.css";

/** Requests the canvas before it is drawn. */
export const loadFlowCanvas = () => import("./flow-canvas.tsx");
const FlowCanvas = lazy(loadFlowCanvas);

interface LazyFlowCanvasProps extends ComponentProps<typeof FlowCanvas> {
  /** Shown until it is loaded. */
  readonly fallback?: ReactNode;
}

const skeleton = <Skeleton height="100%" radius={0} />;

/** The canvas, loaded on demand: it is the heaviest part of its pages. */
export function LazyFlowCanvas({ fallback = skeleton, ...shown }: LazyFlowCanvasProps) {
  return (
    <Suspense fallback={fallback}>
      <FlowCanvas {...shown} />
    </Suspense>
  );
}

/** The canvas and, to its right, the panel for the selection. */
export function CanvasFrame({ children, panel }: { readonly children: ReactNode; readonly panel?: ReactNode }) {
  return (
    <div className={styles.frame}>
      <div className={styles.canvas}>{children}</div>
      {panel}
    </div>
  );
}
