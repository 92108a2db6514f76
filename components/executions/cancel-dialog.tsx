"use client";

import { Button, Group, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Dialog } from "#components/dialog/dialog.tsx";

interface CancelDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: (reason: string) => void;
}

export function CancelDialog({ opened, onClose, onConfirm }: CancelDialogProps) {
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
          What is under way stops; what completed nodes did outside stays done. This cannot be taken back, but the run
          can be run again, from any node.
        </Text>
        <TextInput
          data-autofocus
          label="Reason"
          description="Optional; kept with the run."
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
