"use client";

import { Skeleton } from "@mantine/core";
import { type ComponentProps, lazy, Suspense } from "react";

const FlowCanvas = lazy(() => import("./flow-canvas.tsx"));

/** The canvas, loaded on demand: it is the heaviest part of its pages. */
export function LazyFlowCanvas(shown: ComponentProps<typeof FlowCanvas>) {
  return (
    <Suspense fallback={<Skeleton height="100%" radius={0} />}>
      <FlowCanvas {...shown} />
    </Suspense>
  );
}
