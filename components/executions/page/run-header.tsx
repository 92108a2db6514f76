"use client";

import { useDisclosure } from "@mantine/hooks";
import { IconBan, IconRefresh } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import type { useRunChanges } from "#components/executions/run-changes.ts";
import { ShortId, shortenId } from "#components/page/copy-button.tsx";
import { Link } from "#components/page/link.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { LazyMenu } from "#components/page/row-menu.tsx";
import { isLive, RunStatus, retryWords } from "#components/status/run-status.tsx";
import { RelativeTime, RunningDuration } from "#components/time/relative-time.tsx";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import styles from "./run-view.module.css";

const sources: Record<string, string> = {
  api: "through the API",
  webhook: "by its trigger URL",
  schedule: "by its schedule",
  ui: "manually",
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
      mark={<RunStatus {...run} filled />}
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
          <ShortId id={run.id} subject="run" />
          {run.originalExecutionId !== undefined && (
            <Link href={`/runs/${run.originalExecutionId}`} className={styles.link}>
              Retry of <span className="mono">{shortenId(run.originalExecutionId)}</span>
            </Link>
          )}
          {run.retry && (
            <Link href={`/runs/${run.retry.executionId}`} className={styles.link}>
              {retryWords(run.retry)}
            </Link>
          )}
        </>
      }
      actions={<RunActions run={run} changes={changes} isGone={isGone} onRetry={onRetry} />}
    />
  );
}

const menuLabel = "More actions";
const loadMenu = () => import("./run-menu.tsx");
const RunMenu = lazy(async () => ({ default: (await loadMenu()).RunMenu }));
const CancelDialog = lazy(async () => ({ default: (await import("./cancel-dialog.tsx")).CancelDialog }));

interface RunActionsProps {
  readonly run: ShownExecution;
  readonly changes: ReturnType<typeof useRunChanges>;
  readonly isGone: boolean;
  readonly onRetry: () => void;
}

function RunActions({ run, changes, isGone, onRetry }: RunActionsProps) {
  const [cancelling, cancelDialog] = useDisclosure(false);
  return (
    <>
      {isLive(run.status) ? (
        <GuardedButton
          scope="executions:write"
          variant="default"
          leftSection={<IconBan size={16} aria-hidden="true" />}
          onClick={cancelDialog.open}
          loading={changes.cancel.isPending}
        >
          Cancel
        </GuardedButton>
      ) : (
        <GuardedButton
          scope="flows:execute"
          {...(isGone && { obstacle: "The flow was deleted, so there is nothing to run." })}
          leftSection={<IconRefresh size={16} aria-hidden="true" />}
          onClick={onRetry}
          loading={changes.retry.isPending}
        >
          Run again
        </GuardedButton>
      )}
      <LazyMenu label={menuLabel} load={loadMenu}>
        <RunMenu label={menuLabel} run={run} changes={changes} isGone={isGone} />
      </LazyMenu>
      {cancelling && (
        <Suspense>
          <CancelDialog opened={cancelling} onClose={cancelDialog.close} cancel={changes.cancel} />
        </Suspense>
      )}
    </>
  );
}
