"use client";

import { Button, Group, Text } from "@mantine/core";
import { Dialog } from "#components/dialog/dialog.tsx";
import { isLive } from "#components/status/run-statuses.ts";
import type { ShownExecution } from "#lib/contract/executions.ts";

interface DeleteDialogProps {
  readonly run: ShownExecution;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Names what will be lost, and asks once. */
export function DeleteDialog({ run, opened, onClose, onConfirm }: DeleteDialogProps) {
  const logs = run.logs?.length ?? 0;
  const parts = [`the data of ${count(run.nodes.length, "node")}`, `${count(logs, "log entry", "log entries")}`];
  return (
    <Dialog opened={opened} onClose={onClose} title="Delete this run">
      <Text size="sm">
        This run of {run.flowName} goes for good: its input and output, {parts.join(" and ")}.{" "}
        {isLive(run.status) && "It is cancelled first. "}The flow stays.
      </Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          Keep it
        </Button>
        <Button
          color="red"
          data-autofocus
          onClick={() => {
            onConfirm();
            onClose();
          }}
        >
          Delete the run
        </Button>
      </Group>
    </Dialog>
  );
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
