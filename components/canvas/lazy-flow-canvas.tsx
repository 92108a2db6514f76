"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";

/** The canvas, fetched when it is needed: it is the heaviest thing on its pages. */
export const LazyFlowCanvas = dynamic(() => import("./flow-canvas.tsx"), {
  ssr: false,
  loading: () => <Skeleton height="100%" radius={0} />,
});
