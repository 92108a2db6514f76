"use client";

import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useDeletion } from "#components/deletion/pending-deletion.ts";
import { Dialog } from "#components/dialog/dialog.tsx";

interface DeleteFlowDialogProps {
  readonly flow: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
  /** Called when the flow is hidden, before it is deleted. */
  readonly onDeleted?: () => void;
}

/** Names what is deleted with a flow and asks what to do about its runs; the deletion can be undone for a while. */
export function DeleteFlowDialog({ flow: { id, name }, onClose, onDeleted }: DeleteFlowDialogProps) {
  const [withRuns, setWithRuns] = useState(false);
  const remove = useDeletion();
  const confirm = () => {
    remove({
      id,
      message: `${name} is deleted${withRuns ? " with its runs" : ""}.`,
      run: (api) => api.call("deleteFlow", { params: { id }, query: { deleteExecutions: withRuns }, keepalive: true }),
      stale: ["flows", "runs"],
      failed: "The flow was not deleted.",
    });
    onClose();
    onDeleted?.();
  };
  return (
    <Dialog opened onClose={onClose} title={`Delete ${name}`}>
      <Stack gap="sm">
        <Text size="sm">
          Its versions are deleted, its trigger URL stops answering, and runs in progress are cancelled.
        </Text>
        <Checkbox
          size="xs"
          label="Delete its runs too"
          description="Otherwise they stay readable and count in statistics."
          checked={withRuns}
          onChange={(event) => setWithRuns(event.currentTarget.checked)}
        />
      </Stack>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="red" data-autofocus onClick={confirm}>
          Delete flow
        </Button>
      </Group>
    </Dialog>
  );
}
