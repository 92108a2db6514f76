"use client";

import { useDocumentTitle } from "@mantine/hooks";
import { useCallback } from "react";
import { CanvasFrame } from "#components/canvas/canvas-frame.tsx";
import { LazyFlowCanvas } from "#components/canvas/lazy-flow-canvas.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import type { NodeType } from "#lib/contract/node-types.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { FlowHeader } from "./flow-header.tsx";
import styles from "./flow-reading.module.css";
import { NodePanel } from "./node-panel.tsx";
import type { ReadFlow } from "./read-flow.ts";
import { RecentRuns } from "./recent-runs.tsx";
import { TriggerLine } from "./trigger-line.tsx";

interface FlowReadingProps {
  readonly flow: ReadFlow;
  readonly types: readonly NodeType[];
  /** Why whoever reads it may not edit it; null where only the screen is too small. */
  readonly whyNotEdited: string | null;
}

/** A flow to read, for those who may not edit it and on screens too small for that: trigger, picture, last runs. */
export function FlowReading({ flow, types, whyNotEdited }: FlowReadingProps) {
  const { read, change } = useUrlState();
  const asked = read("node") ?? null;
  const isThere = asked === triggerSource || flow.nodes.some((node) => node.id === asked);
  const selectedId = isThere ? asked : null;
  const select = useCallback((node: string | null) => change({ node }, true), [change]);
  useDocumentTitle(`${flow.name} · Millrace`);
  const panel = selectedId !== null && (
    <NodePanel key={selectedId} flow={flow} id={selectedId} types={types} onClose={() => select(null)} />
  );
  return (
    <div className={styles.view}>
      <FlowHeader flow={flow} />
      <p className={styles.muted}>
        {whyNotEdited ?? "This is the flow as it stands. Open it on a larger screen to edit it."}
      </p>
      <TriggerLine flow={flow} />
      <CanvasFrame panel={panel}>
        <LazyFlowCanvas flow={flow} types={types} selectedId={selectedId} onSelect={select} />
      </CanvasFrame>
      <RecentRuns flowId={flow.id} />
    </div>
  );
}
