"use client";
import { Button, Group, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Dialog } from "#components/dialog/dialog.tsx";

interface CancelDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: (reason: string) => void;
}

/** Asks for confirmation and a reason before cancelling a run. */
export function CancelDialog({ opened, onClose, onConfirm }: CancelDialogProps) {
  const form = useForm({ initialValues: { reason: "" } });
  const submit = form.onSubmit(({ reason }) => {
    onConfirm(reason.trim());
    onClose();
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
        <Group justify="flex-end" gap="xs" mt="md">
          <Button variant="default" onClick={onClose}>
            Keep it running
          </Button>
          <Button type="submit" color="red">
            Cancel run
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
