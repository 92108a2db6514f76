"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "#components/api/use-api.ts";
import { CanvasFrame, LazyFlowCanvas } from "#components/canvas/lazy-flow-canvas.tsx";
import type { NodeRuns } from "#components/canvas/wire-data.ts";
import { type Moment, withItemsBegun } from "#components/executions/replay/moments.ts";
import { versionThatRan } from "#components/executions/run-queries.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { readFlowVersion } from "#components/flows/read-flow.ts";
import { JsonTree } from "#components/json/json-tree.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { SidePanel } from "#components/page/side-panel.tsx";
import { isLive } from "#components/status/run-status.tsx";
import { ApiError } from "#lib/contract/client.ts";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { NodeRunPanel } from "./node-run-panel.tsx";
import { CanvasSkeleton } from "./run-skeleton.tsx";
import styles from "./run-view.module.css";

interface RunPictureProps {
  readonly run: ShownExecution;
  /** The shown moment; null for the current state. */
  readonly moment: Moment | null;
  readonly selectedId: string | null;
  readonly onSelect: (id: string | null) => void;
  /** Null if nothing can be retried. */
  readonly onRetry: ((nodeId: string) => void) | null;
}

/** The run's path through the executed version of its flow, and the selected node's details. */
export function RunPicture({ run, moment, selectedId, onSelect, onRetry }: RunPictureProps) {
  const api = useApi();
  const flow = useQuery(readFlowVersion(api, run.flowId, versionThatRan(run)));
  const types = useQuery(flowQueries.nodeTypes(api));
  const nodes = useMemo(
    () => (moment === null ? run.nodes : withItemsBegun(moment, flow.data?.nodes ?? [])),
    [run.nodes, moment, flow.data],
  );
  const runs = useMemo(() => new Map(nodes.map((node) => [node.nodeId, node])), [nodes]);
  const close = useMemo(() => () => onSelect(null), [onSelect]);
  const panel = { run, moment, nodes: runs, onSelect, onClose: close, onRetry };
  return (
    <CanvasFrame panel={selectedId !== null && <Panel id={selectedId} {...panel} />}>
      {flow.isError && flow.data === undefined && <NoPicture error={flow.error} onRetry={() => void flow.refetch()} />}
      {!flow.isError && (flow.data === undefined || types.data === undefined) && <CanvasSkeleton />}
      {flow.data !== undefined && types.data !== undefined && (
        <LazyFlowCanvas
          fallback={<CanvasSkeleton />}
          flow={flow.data}
          types={types.data}
          selectedId={selectedId}
          onSelect={onSelect}
          runs={runs}
          live={moment !== null || isLive(run.status)}
          focusId={nodeToLookAt(run)}
          minimap
        />
      )}
    </CanvasFrame>
  );
}

function NoPicture({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const isGone = error instanceof ApiError && error.code === "NOT_FOUND";
  return (
    <div className={styles.noPicture}>
      {isGone ? (
        <p className={styles.remark}>
          The version that ran is no longer kept, so there is no picture of it. Its nodes are listed below.
        </p>
      ) : (
        <FailureNotice title="The picture could not be loaded" error={error} onRetry={onRetry} />
      )}
    </div>
  );
}

/** The node at which a large flow opens: failed, waiting or running; null for none. */
function nodeToLookAt({ error, nodes }: ShownExecution): string | null {
  return error?.nodeId ?? nodes.find(({ status }) => status === "running")?.nodeId ?? null;
}

interface PanelProps {
  readonly run: ShownExecution;
  readonly moment: Moment | null;
  /** As they are at that moment, by id. */
  readonly nodes: NodeRuns;
  readonly id: string;
  readonly onSelect: (id: string) => void;
  readonly onClose: () => void;
  /** Null if nothing can be retried. */
  readonly onRetry: ((nodeId: string) => void) | null;
}

function Panel({ run, moment, nodes, id, onSelect, onClose, onRetry }: PanelProps) {
  if (id === triggerSource) {
    return (
      <SidePanel title="Trigger" subtitle={run.trigger.type} onClose={onClose}>
        <JsonTree value={run.trigger.data} path="$trigger.body" label="Trigger data" />
      </SidePanel>
    );
  }
  const node = nodes.get(id);
  if (node === undefined) {
    return (
      <SidePanel title={id} onClose={onClose}>
        <p className={styles.remark}>This node wasn’t in this run.</p>
      </SidePanel>
    );
  }
  return <NodeRunPanel key={id} {...{ run, moment, node, nodes, onSelect, onClose, onRetry }} />;
}
