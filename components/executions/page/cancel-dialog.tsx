"use client";
import { Button, Group, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { Dialog } from "#components/dialog/dialog.tsx";
import type { useRunChanges } from "#components/executions/run-changes.ts";
import { sayFailure } from "#components/page/failure-notice.tsx";

interface CancelDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly cancel: ReturnType<typeof useRunChanges>["cancel"];
}

/** Asks for confirmation and a reason before cancelling a run. Stays open, with the reason, until the run is cancelled. */
export function CancelDialog({ opened, onClose, cancel }: CancelDialogProps) {
  const form = useForm({ initialValues: { reason: "" } });
  const [failure, setFailure] = useState<Error | null>(null);
  const submit = form.onSubmit(({ reason }) => {
    if (cancel.isPending) return;
    setFailure(null);
    cancel.mutate(reason.trim(), { onSuccess: onClose, onError: setFailure });
  });
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
          {...form.getInputProps("reason")}
          maxLength={5_000}
        />
        {failure !== null && (
          <Text size="sm" role="alert" c="var(--status-failed)" mt="sm">
            The run was not cancelled. {sayFailure(failure)}
          </Text>
        )}
        <Group justify="flex-end" gap="xs" mt="md">
          <Button variant="default" onClick={onClose}>
            Keep it running
          </Button>
          <Button type="submit" color="red" loading={cancel.isPending}>
            Cancel run
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
