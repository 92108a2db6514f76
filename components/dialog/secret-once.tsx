"use client";

import { Button, Group, Text } from "@mantine/core";
import { CodeBlock } from "#components/page/copy-button.tsx";
import { Dialog } from "./dialog.tsx";

interface SecretOnceProps {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
  /** What is copied: "Copy the key". */
  readonly copyLabel: string;
  readonly onClose: () => void;
}

/** Shows a secret, once. Neither a click outside the dialog nor a second Enter closes it: the latter copies. */
export function SecretOnce({ title, text, secret, copyLabel, onClose }: SecretOnceProps) {
  return (
    <Dialog opened onClose={onClose} title={title} size={520} closesBeside={false}>
      <Text size="sm" mb="sm">
        {text}
      </Text>
      <CodeBlock text={secret} label={copyLabel} isFirst />
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Dialog>
  );
}
