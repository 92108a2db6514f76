"use client";

import { Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { firstClick } from "#components/page/first-click.ts";
import { Dialog } from "./dialog.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  /** What will be lost. */
  readonly children: ReactNode;
  readonly confirm: string;
  /** The other button's label, for when the confirmed action is itself a cancellation. */
  readonly keep?: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Names what will be lost and asks for confirmation. */
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
          onClick={firstClick(() => {
            onConfirm();
            onClose();
          })}
        >
          {confirm}
        </Button>
      </Group>
    </Dialog>
  );
}
