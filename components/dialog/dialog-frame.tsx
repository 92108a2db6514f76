import { Modal } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useReturnedFocus } from "./dialog.tsx";

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
  useReturnedFocus();
  // A modal that is opened from its beginning does not note what had the focus before.
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return (
    <Modal
      opened={opened && isMounted}
      onClose={onClose}
      title={title}
      {...(size !== undefined && { size })}
      closeOnClickOutside={closesBeside}
    >
      {children}
    </Modal>
  );
}
