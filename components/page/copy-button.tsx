"use client";

import { ActionIcon, Tooltip } from "@mantine/core";
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
    <Tooltip label={words}>
      <ActionIcon variant="subtle" size={24} onClick={() => clipboard.copy(text)} aria-label={words}>
        {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </Tooltip>
  );
}
