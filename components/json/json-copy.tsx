import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy, IconRoute } from "@tabler/icons-react";
import styles from "./json-tree.module.css";
import { copiedText } from "./json-value.ts";

/** Copies a value, or the expression that reaches it. */
export function JsonCopy({ value, path }: { readonly value: unknown; readonly path: string }) {
  const clipboard = useClipboard({ timeout: 1_200 });
  return (
    <span className={styles.actions}>
      <button
        type="button"
        className={styles.action}
        onClick={() => clipboard.copy(copiedText(value))}
        title="Copy the value"
        aria-label={`Copy the value of ${path}`}
      >
        {clipboard.copied ? <IconCheck size={13} /> : <IconCopy size={13} />}
      </button>
      <button
        type="button"
        className={styles.action}
        onClick={() => clipboard.copy(path)}
        title={`Copy the path ${path}`}
        aria-label={`Copy the path ${path}`}
      >
        <IconRoute size={13} />
      </button>
    </span>
  );
}
