import { Button } from "@mantine/core";
import { Link } from "#components/page/link.tsx";
import styles from "./toast-text.module.css";

interface ToastTextProps {
  readonly message: string;
  readonly undo?: () => void;
  readonly link?: { readonly label: string; readonly href: string };
}

export function ToastText({ message, undo, link }: ToastTextProps) {
  return (
    <span className={styles.toast}>
      {message}
      {link && <Link href={link.href}>{link.label}</Link>}
      {undo && (
        <Button variant="light" size="compact-sm" onClick={undo} flex="none">
          Undo
        </Button>
      )}
    </span>
  );
}
