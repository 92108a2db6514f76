"use client";
import { useDocumentTitle } from "@mantine/hooks";
import { IconCircleX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { loadFlowCanvas } from "#components/canvas/lazy-flow-canvas.tsx";
import { useRun } from "#components/executions/follow-run.ts";
import { useRunChanges } from "#components/executions/run-changes.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { statusFace } from "#components/status/run-status.tsx";
import { useIsHydrated } from "#components/time/relative-time.tsx";
import { ApiError } from "#lib/contract/client.ts";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import { RunHeader } from "./run-header.tsx";
import { RunNote, RunNotes } from "./run-notes.tsx";
import { DataSkeleton, FirstPictureContext, PictureSkeleton, RunPartsSkeleton, RunSkeleton } from "./run-skeleton.tsx";
import styles from "./run-view.module.css";

// The JSON views.
const loadData = () => import("./run-data.tsx");
const RunData = lazy(loadData);
// The picture, the replay and the waterfall.
const loadPath = () => import("./run-path.tsx");
const RunPath = lazy(loadPath);
const loadPicture = () => import("./run-picture.tsx");
// All that a run is drawn with is requested as soon as this script runs: otherwise each part would be, when the one
// around it is drawn.
if (typeof window !== "undefined") {
  for (const load of [loadPath, loadPicture, loadFlowCanvas, loadData]) load().catch(() => {});
}
const RetryDialog = lazy(async () => ({ default: (await import("./retry-dialog.tsx")).RetryDialog }));

interface RunViewProps {
  readonly id: string;
  /** Its picture, drawn by the server; null without one. */
  readonly firstPicture: ReactNode;
}

/** A run, live or ended: its path, node by node, with inputs and outputs. */
export function RunView({ id, firstPicture }: RunViewProps) {
  const api = useApi();
  const run = useRun(id);
  const { read, change } = useUrlState();
  const selectedId = read("node") ?? null;
  const select = useCallback((node: string | null) => change({ node }, true), [change]);
  const [retrying, setRetrying] = useState<{ readonly fromNode: string | null } | null>(null);
  const isGone = useIsFlowGone(run.data?.flowId);
  const isHydrated = useIsHydrated();
  const changes = useRunChanges(id);
  const names = useMemo(() => new Map(run.data?.nodes.map((node) => [node.nodeId, node.nodeName])), [run.data]);
  const nameOf = (nodeId: string) => names.get(nodeId) ?? nodeId;
  useDocumentTitle(
    run.data === undefined ? "Run · Millrace" : `${run.data.flowName}: ${statusFace(run.data).label} · Millrace`,
  );
  // The list of node types is requested in parallel with the run, not after it.
  useQuery(flowQueries.nodeTypes(api));
  if (run.isError && run.data === undefined) {
    return (
      <FailureNotice
        title="The run could not be loaded"
        error={run.error}
        onRetry={() => void run.refetch()}
        list={{ label: "Go to the runs", path: "/runs" }}
      />
    );
  }
  if (run.data === undefined) return <RunSkeleton />;
  return (
    <div className={styles.view}>
      <RunHeader
        run={run.data}
        changes={changes}
        isGone={isGone}
        onRetry={() => setRetrying({ fromNode: firstToMend(run.data) })}
      />
      {changes.problem !== null && (
        <RunNote role="alert" tone="failed" icon={IconCircleX} title={changes.problem.what}>
          <p>{changes.problem.text}</p>
        </RunNote>
      )}
      <RunNotes run={run.data} onSelect={select} isGone={isGone} />
      <FirstPictureContext value={firstPicture}>
        {isHydrated ? (
          <>
            <Suspense fallback={<PictureSkeleton />}>
              <RunPath
                key={id}
                run={run.data}
                nameOf={nameOf}
                selectedId={selectedId}
                onSelect={select}
                onRetry={isGone ? null : (fromNode) => setRetrying({ fromNode })}
              />
            </Suspense>
            <Suspense fallback={<DataSkeleton />}>
              <RunData run={run.data} nameOf={nameOf} />
            </Suspense>
          </>
        ) : (
          <RunPartsSkeleton />
        )}
      </FirstPictureContext>
      {retrying !== null && (
        <Suspense>
          <RetryDialog run={run.data} {...retrying} changes={changes} onClose={() => setRetrying(null)} />
        </Suspense>
      )}
    </div>
  );
}

/** The default node to retry from: the failed one. */
function firstToMend({ error }: ShownExecution): string | null {
  return error?.nodeId ?? null;
}

/** Whether a run's flow was deleted; false while that is unknown. */
function useIsFlowGone(flowId: string | undefined): boolean {
  const api = useApi();
  const flow = useQuery({ ...flowQueries.isThere(api, flowId ?? ""), enabled: flowId !== undefined });
  return flow.error instanceof ApiError && flow.error.code === "NOT_FOUND";
}
