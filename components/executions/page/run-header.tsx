"use client";

import { useDisclosure } from "@mantine/hooks";
import { IconArrowsDiff, IconBan, IconRefresh, IconRoute, IconTestPipe, IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useAccess, useApi } from "#components/api/use-api.ts";
import type { useRunChanges } from "#components/executions/run-changes.ts";
import { ShortId, shortenId } from "#components/page/copy-button.tsx";
import { Link } from "#components/page/link.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { RowMenu } from "#components/page/row-menu.tsx";
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

const loadMakeTest = () => import("./make-test.ts");
const CancelDialog = lazy(async () => ({ default: (await import("./cancel-dialog.tsx")).CancelDialog }));
const DeleteLiveDialog = lazy(async () => ({
  default: (await import("#components/executions/delete-live-dialog.tsx")).DeleteLiveDialog,
}));

interface RunActionsProps {
  readonly run: ShownExecution;
  readonly changes: ReturnType<typeof useRunChanges>;
  readonly isGone: boolean;
  readonly onRetry: () => void;
}

function RunActions({ run, changes, isGone, onRetry }: RunActionsProps) {
  const [cancelling, cancelDialog] = useDisclosure(false);
  const [deleting, deleteDialog] = useDisclosure(false);
  const access = useAccess();
  const api = useApi();
  const queries = useQueryClient();
  const refusal = access.refusal("executions:write");
  const canBeTest = !isGone && (run.status === "completed" || run.status === "failed");
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
      <RowMenu
        label="More actions"
        note={refusal}
        entries={[
          ...(isGone
            ? []
            : [{ label: "Show in the editor", icon: IconRoute, href: `/flows/${run.flowId}?run=${run.id}` }]),
          ...(canBeTest
            ? [
                {
                  label: "Make a test",
                  icon: IconTestPipe,
                  onChoose: () => void loadMakeTest().then(({ makeTest }) => makeTest(api, queries, run)),
                  disabled: access.refusal("tests:write") !== null,
                },
              ]
            : []),
          { label: "Compare with another", icon: IconArrowsDiff, href: `/runs/${run.id}/compare` },
          {
            label: "Delete the run",
            icon: IconTrash,
            onChoose: isLive(run.status) ? deleteDialog.open : () => changes.remove(run.flowName),
            danger: true,
            disabled: refusal !== null,
          },
        ]}
      />
      {cancelling && (
        <Suspense>
          <CancelDialog
            opened={cancelling}
            onClose={cancelDialog.close}
            onConfirm={(reason) => changes.cancel.mutate(reason)}
          />
        </Suspense>
      )}
      {deleting && (
        <Suspense>
          <DeleteLiveDialog
            flowName={run.flowName}
            opened={deleting}
            onClose={deleteDialog.close}
            onConfirm={() => changes.removeLive.mutate()}
          />
        </Suspense>
      )}
    </>
  );
}
