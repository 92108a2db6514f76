"use client";

import { Skeleton } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { CanvasFrame } from "#components/canvas/canvas-frame.tsx";
import { LazyFlowCanvas } from "#components/canvas/lazy-flow-canvas.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { FlowHeader } from "./flow-header.tsx";
import { flowQueries } from "./flow-queries.ts";
import styles from "./flow-view.module.css";
import { NodePanel } from "./node-panel.tsx";
import { readFlow } from "./read-flow.ts";
import { RecentRuns } from "./recent-runs.tsx";
import { TriggerLine } from "./trigger-line.tsx";

/** A flow to read: its trigger, its picture, its last runs. */
export function FlowView({ id }: { readonly id: string }) {
  const api = useApi();
  const flow = useQuery(readFlow(api, id));
  const types = useQuery(flowQueries.nodeTypes(api));
  const [selectedId, select] = useState<string | null>(null);
  useDocumentTitle(flow.data === undefined ? "Flow · Millrace" : `${flow.data.name} · Millrace`);
  const failed = [flow, types].find((query) => query.isError);
  if (failed?.error) {
    const retry = () => void Promise.all([flow.refetch(), types.refetch()]);
    return (
      <FailureNotice
        what="The flow could not be loaded"
        error={failed.error}
        onRetry={retry}
        list={{ label: "Go to the flows", path: "/flows" }}
      />
    );
  }
  if (flow.data === undefined || types.data === undefined) return <FlowSkeleton />;
  const panel = selectedId !== null && (
    <NodePanel key={selectedId} flow={flow.data} id={selectedId} types={types.data} onClose={() => select(null)} />
  );
  return (
    <div className={styles.view}>
      <FlowHeader flow={flow.data} />
      <TriggerLine flow={flow.data} />
      <CanvasFrame panel={panel}>
        <LazyFlowCanvas flow={flow.data} types={types.data} selectedId={selectedId} onSelect={select} />
      </CanvasFrame>
      <RecentRuns flowId={flow.data.id} />
    </div>
  );
}

function FlowSkeleton() {
  return (
    <div className={styles.view} aria-busy="true">
      <div className={styles.head}>
        <Skeleton height={12} width={40} />
        <Skeleton height={20} width={240} />
        <Skeleton height={12} width={320} />
      </div>
      <Skeleton height={40} />
      <CanvasFrame>
        <Skeleton height="100%" radius={0} />
      </CanvasFrame>
    </div>
  );
}
