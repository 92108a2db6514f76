"use client";

import { ActionIcon } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy, IconTerminal2 } from "@tabler/icons-react";

interface CopyButtonProps {
  readonly text: string;
  /** What is copied: "Copy the trigger URL". */
  readonly label: string;
  readonly icon?: "copy" | "terminal";
}

export function CopyButton({ text, label, icon = "copy" }: CopyButtonProps) {
  const clipboard = useClipboard({ timeout: 1_500 });
  const words = clipboard.copied ? "Copied" : label;
  return (
    <ActionIcon variant="subtle" size={24} onClick={() => clipboard.copy(text)} aria-label={words} title={words}>
      {clipboard.copied ? (
        <IconCheck size={14} />
      ) : icon === "copy" ? (
        <IconCopy size={14} />
      ) : (
        <IconTerminal2 size={14} />
      )}
    </ActionIcon>
  );
}
