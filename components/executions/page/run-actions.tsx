"use client";
import { Button, Group, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowsDiff, IconBan, IconRefresh, IconTrash } from "@tabler/icons-react";
import { type FormEvent, lazy, Suspense, useState } from "react";
import { useAccess } from "#components/api/use-api.ts";
import { Dialog } from "#components/dialog/dialog.tsx";
import type { useRunChanges } from "#components/executions/run-changes.ts";
import { GuardedButton } from "#components/page/link-button.tsx";
import { RowMenu } from "#components/page/row-menu.tsx";
import { isLive } from "#components/status/run-status.tsx";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";

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
      <CancelDialog
        opened={cancelling}
        onClose={cancelDialog.close}
        onConfirm={(reason) => changes.cancel.mutate(reason)}
      />
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

interface CancelDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: (reason: string) => void;
}

function CancelDialog({ opened, onClose, onConfirm }: CancelDialogProps) {
  const [reason, setReason] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onConfirm(reason.trim());
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={onClose} title="Cancel this run">
      <form onSubmit={submit}>
        <Text size="sm" c="dimmed" mb="sm">
          Nodes in progress stop. What completed nodes did stays done. This cannot be undone, but you can run it again
          from any node.
        </Text>
        <TextInput
          data-autofocus
          label="Reason"
          description="Optional. Stored with the run."
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={5_000}
        />
        <Group justify="flex-end" gap="xs" mt="md">
          <Button variant="default" onClick={onClose}>
            Keep it running
          </Button>
          <Button type="submit" color="red">
            Cancel the run
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
