"use client";

import { Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  /** What will be lost. */
  readonly children: ReactNode;
  readonly confirm: string;
  /** What the other button says, where what is confirmed is itself called cancelling. */
  readonly keep?: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Names what will be lost, and asks once. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  keep = "Cancel",
  opened,
  onClose,
  onConfirm,
}: ConfirmDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <Text size="sm" component="div">
        {children}
      </Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          {keep}
        </Button>
        <Button
          color="red"
          data-autofocus
          onClick={() => {
            onConfirm();
            onClose();
          }}
        >
          {confirm}
        </Button>
      </Group>
    </Dialog>
  );
}
