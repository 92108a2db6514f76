import { Button } from "@mantine/core";
import { IconAlertTriangle, IconPlayerStop, IconSend } from "@tabler/icons-react";
import type { Tryable } from "./operation.ts";
import styles from "./request-form.module.css";
import type { SentRequest } from "./send-request.ts";

interface RequestActionsProps {
  readonly operation: Tryable;
  /** Why it cannot be sent yet; null if it can. */
  readonly obstacle: string | null;
  readonly request: SentRequest;
}

/** The send button, with a note on what it does. */
export function RequestActions({ operation, obstacle, request }: RequestActionsProps) {
  const { method, isDestructive } = operation;
  return (
    <>
      {method !== "GET" && (
        <p className={styles.warning} data-destructive={isDestructive || undefined}>
          <IconAlertTriangle size={16} aria-hidden="true" />
          {isDestructive
            ? "This really deletes, in this workspace. It cannot be undone."
            : "This really runs, in this workspace."}
        </p>
      )}
      <div className={styles.actions}>
        <Button
          type="submit"
          {...(isDestructive && { color: "red" })}
          loading={request.isSending && request.answer === null}
          disabled={obstacle !== null}
          leftSection={<IconSend size={16} aria-hidden="true" />}
        >
          {isDestructive ? "Send and delete" : "Send"}
        </Button>
        {request.isSending && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} aria-hidden="true" />}
            onClick={request.stop}
          >
            Stop
          </Button>
        )}
        {obstacle !== null && <span className={styles.note}>{obstacle}</span>}
      </div>
    </>
  );
}
