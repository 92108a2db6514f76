import { Modal } from "@mantine/core";
import type { ReactNode } from "react";

interface DialogFrameProps {
  readonly title: string;
  readonly opened: boolean;
  readonly size?: number;
  /** False if closing it by a click outside would lose input. */
  readonly closesBeside?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export default function DialogFrame({ title, opened, size, closesBeside = true, onClose, children }: DialogFrameProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      {...(size !== undefined && { size })}
      closeOnClickOutside={closesBeside}
    >
      {children}
    </Modal>
  );
}
