import Link from "next/link";
import type { useRunChanges } from "#components/executions/run-changes.ts";
import { ShortId, shortenId } from "#components/page/copy-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { isLive, RunStatus } from "#components/status/run-status.tsx";
import { RelativeTime, RunningDuration } from "#components/time/relative-time.tsx";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { RunActions } from "./run-actions.tsx";
import styles from "./run-view.module.css";

const sources: Record<string, string> = {
  api: "through the API",
  webhook: "by its trigger URL",
  schedule: "by its schedule",
  ui: "by hand",
  retry: "as a retry",
};

interface RunHeaderProps {
  readonly run: ShownExecution;
  readonly changes: ReturnType<typeof useRunChanges>;
  /** The flow was deleted; its runs stay. */
  readonly isGone: boolean;
  /** Opens the retry dialog. */
  readonly onRetry: () => void;
}

export function RunHeader({ run, changes, isGone, onRetry }: RunHeaderProps) {
  const source = isJsonObject(run.metadata) ? sources[String(run.metadata.source)] : undefined;
  return (
    <PageHeader
      parent={{ label: "Runs", path: "/runs" }}
      title={
        isGone ? (
          run.flowName
        ) : (
          <Link href={`/flows/${run.flowId}`} className={styles.flow}>
            {run.flowName}
          </Link>
        )
      }
      mark={<RunStatus status={run.status} waitingFor={run.waitingFor} filled />}
      facts={
        <>
          <span>
            {run.draftRevision !== undefined ? "Unpublished changes to version" : "Version"} {run.flowVersion}
            {isGone && " of a deleted flow"}
          </span>
          <span>
            Started <RelativeTime at={run.startedAt} /> {source}
          </span>
          <span className={styles.took}>
            <RunningDuration startedAt={run.startedAt} durationMs={run.duration} live={isLive(run.status)} />
          </span>
          <ShortId id={run.id} what="run" />
          {run.originalExecutionId !== undefined && (
            <Link href={`/runs/${run.originalExecutionId}`} className={styles.link}>
              Retry of <span className="mono">{shortenId(run.originalExecutionId)}</span>
            </Link>
          )}
        </>
      }
      actions={<RunActions run={run} changes={changes} isGone={isGone} onRetry={onRetry} />}
    />
  );
}
