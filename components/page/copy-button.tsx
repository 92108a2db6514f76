"use client";

import { ActionIcon } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";

interface CopyButtonProps {
  readonly text: string;
  /** What is copied: "Copy the trigger URL". */
  readonly label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const clipboard = useClipboard({ timeout: 1_500 });
  const words = clipboard.copied ? "Copied" : label;
  return (
    <ActionIcon variant="subtle" size={24} onClick={() => clipboard.copy(text)} aria-label={words} title={words}>
      {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
    </ActionIcon>
  );
}
