"use client";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowsDiff, IconBan, IconRefresh, IconTrash } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { useAccess } from "#components/api/use-api.ts";
import type { useRunChanges } from "#components/executions/run-changes.ts";
import { GuardedButton } from "#components/page/link-button.tsx";
import { RowMenu } from "#components/page/row-menu.tsx";
import { isLive } from "#components/status/run-status.tsx";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";

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

export function RunActions({ run, changes, isGone, onRetry }: RunActionsProps) {
  const [cancelling, cancelDialog] = useDisclosure(false);
  const [deleting, deleteDialog] = useDisclosure(false);
  const refusal = useAccess().refusal("executions:write");
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
