"use client";

import dynamic from "next/dynamic";
import { FlowSkeleton } from "#components/flows/flow-skeleton.tsx";

/** The editor, loaded when a flow is opened: no other page pays for it. */
export const LazyFlowEditor = dynamic(() => import("./flow-editor.tsx"), {
  ssr: false,
  loading: () => <FlowSkeleton />,
});
