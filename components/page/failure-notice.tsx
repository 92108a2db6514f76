"use client";
import { Button } from "@mantine/core";
import { IconAlertCircle, IconRefresh } from "@tabler/icons-react";
import { ApiError } from "#lib/contract/client.ts";
import { LinkButton } from "./link-button.tsx";
import styles from "./notice.module.css";

interface Explanation {
  readonly why: string;
  readonly todo: string;
  /** For searching the server's log. */
  readonly reference: string | null;
}

const advice: Record<string, string> = {
  UNAUTHORIZED: "Your session has ended. Reload the page and sign in.",
  FORBIDDEN: "Ask an owner of the workspace for another role.",
  RATE_LIMIT_EXCEEDED: "Wait a moment, then try again.",
  INTERNAL_ERROR: "Try again. If it keeps failing, find the request id in the server's log.",
};

/** Why an API call failed and what to do about it, one sentence each. */
export function explainFailure(error: unknown): Explanation {
  if (error instanceof Error && error.name === "FlowFileError")
    return { why: sentence(error.message), todo: "", reference: null };
  if (!(error instanceof ApiError)) {
    return { why: "The server did not answer.", todo: "Check that it is running and reachable.", reference: null };
  }
  if (error.code === "NOT_FOUND") return { why: "It does not exist, or it was deleted.", todo: "", reference: null };
  const fields =
    error.code === "VALIDATION_ERROR"
      ? Object.entries(error.details)
          .map(([field, message]) => withField(field, String(message)))
          .join("; ")
      : "";
  const why = sentence(fields === "" ? error.message : fields);
  return { why, todo: advice[error.code] ?? "", reference: error.status >= 500 ? error.requestId : null };
}

/** Puts the field's name before a message without one, such as "is required". */
export function withField(field: string, message: string): string {
  if (!/^(is|are|must|needs|has|have|cannot)\b/.test(message)) return message;
  const name = /([\p{L}\p{N}_$-]+)(?:\[\d+\])*$/u.exec(field)?.[1] ?? field;
  return `${name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()} ${message}`;
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?]$/.test(capital) ? capital : `${capital}.`;
}

interface FailureNoticeProps {
  /** What failed: "The flows could not be loaded". */
  readonly title: string;
  readonly error: Error | null;
  readonly onRetry: () => void;
  /** Where to go if it does not exist. */
  readonly list?: { readonly label: string; readonly path: string };
}

/** The error state of a page or a panel: what happened, why, what to do. */
export function FailureNotice({ title, error, onRetry, list }: FailureNoticeProps) {
  const isGone = error instanceof ApiError && error.code === "NOT_FOUND";
  const { why, todo, reference } = explainFailure(error);
  return (
    <div role="alert" className={styles.notice}>
      <IconAlertCircle size={24} stroke={1.6} aria-hidden="true" className={styles.failed} />
      <h2 className={styles.heading}>{title}</h2>
      <p className={styles.text}>
        {why} {todo}
      </p>
      {isGone && list !== undefined ? (
        <LinkButton href={list.path}>{list.label}</LinkButton>
      ) : (
        <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden="true" />} onClick={onRetry}>
          Try again
        </Button>
      )}
      {reference && <p className={styles.reference}>Request {reference}</p>}
    </div>
  );
}
