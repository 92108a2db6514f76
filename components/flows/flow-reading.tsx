"use client";

import { useDocumentTitle } from "@mantine/hooks";
import { useState } from "react";
import { CanvasFrame } from "#components/canvas/canvas-frame.tsx";
import { LazyFlowCanvas } from "#components/canvas/lazy-flow-canvas.tsx";
import type { NodeType } from "#lib/contract/node-types.ts";
import { FlowHeader } from "./flow-header.tsx";
import styles from "./flow-reading.module.css";
import { NodePanel } from "./node-panel.tsx";
import type { ReadFlow } from "./read-flow.ts";
import { RecentRuns } from "./recent-runs.tsx";
import { TriggerLine } from "./trigger-line.tsx";

interface FlowReadingProps {
  readonly flow: ReadFlow;
  readonly types: readonly NodeType[];
}

/** A flow to read on a screen that is too small for editing: its trigger, its picture, its last runs. */
export function FlowReading({ flow, types }: FlowReadingProps) {
  const [selectedId, select] = useState<string | null>(null);
  useDocumentTitle(`${flow.name} · Millrace`);
  const panel = selectedId !== null && (
    <NodePanel key={selectedId} flow={flow} id={selectedId} types={types} onClose={() => select(null)} />
  );
  return (
    <div className={styles.view}>
      <FlowHeader flow={flow} />
      <p className={styles.muted}>This is the flow as it stands. Editing wants a wider screen.</p>
      <TriggerLine flow={flow} />
      <CanvasFrame panel={panel}>
        <LazyFlowCanvas flow={flow} types={types} selectedId={selectedId} onSelect={select} />
      </CanvasFrame>
      <RecentRuns flowId={flow.id} />
    </div>
  );
}
