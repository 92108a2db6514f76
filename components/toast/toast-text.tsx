import { Button } from "@mantine/core";
import styles from "./toast-text.module.css";

interface ToastTextProps {
  readonly message: string;
  readonly undo?: () => void;
}

export function ToastText({ message, undo }: ToastTextProps) {
  return (
    <span className={styles.toast}>
      {message}
      {undo && (
        <Button variant="light" size="compact-sm" onClick={undo} flex="none">
          Undo
        </Button>
      )}
    </span>
  );
}
