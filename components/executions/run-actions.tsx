"use client";

import { useDisclosure } from "@mantine/hooks";
import { IconArrowsDiff, IconBan, IconRefresh, IconTrash } from "@tabler/icons-react";
import { useAccess } from "#components/api/use-access.ts";
import { GuardedButton } from "#components/page/guarded-button.tsx";
import { RowMenu } from "#components/page/row-menu.tsx";
import { isLive } from "#components/status/run-statuses.ts";
import type { ShownExecution } from "#lib/contract/executions.ts";
import { CancelDialog } from "./cancel-dialog.tsx";
import { DeleteLiveDialog } from "./delete-live-dialog.tsx";
import type { useRunChanges } from "./run-changes.ts";

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
          {...(isGone && { obstacle: "The flow was deleted: there is nothing left to run." })}
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
      <CancelDialog
        opened={cancelling}
        onClose={cancelDialog.close}
        onConfirm={(reason) => changes.cancel.mutate(reason)}
      />
      <DeleteLiveDialog
        flowName={run.flowName}
        opened={deleting}
        onClose={deleteDialog.close}
        onConfirm={() => changes.removeLive.mutate()}
      />
    </>
  );
}
