"use client";
import { Button } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { ApiError } from "#lib/contract/client.ts";
import { LinkButton } from "./link-button.tsx";
import styles from "./notice.module.css";

interface Explanation {
  readonly why: string;
  readonly todo: string;
  /** For searching the server's log. */
  readonly reference: string | null;
}

const wait = "Wait a moment, then try again.";
const advice: Record<string, string> = {
  FORBIDDEN: "Ask an owner of the workspace for another role.",
  RATE_LIMIT_EXCEEDED: wait,
  SERVICE_UNAVAILABLE: wait,
  INTERNAL_ERROR: "If it keeps failing, find the request in the server's log.",
};

/** Why an API call failed and what to do about it, one sentence each. */
export function explainFailure(error: unknown): Explanation {
  const [why, todo = ""] = wordsOf(error);
  return { why, todo, reference: error instanceof ApiError && error.status >= 500 ? error.requestId : null };
}

/** The same as one text. */
export function sayFailure(error: unknown): string {
  const { why, todo } = explainFailure(error);
  return `${why} ${todo}`.trim();
}

function wordsOf(error: unknown): readonly [why: string, todo?: string | undefined] {
  if (!(error instanceof ApiError)) {
    if (navigator.onLine === false) return ["You are offline."];
    return ["The server did not answer.", "Check that it is reachable."];
  }
  const { code, details, message } = error;
  if (code === "NOT_FOUND") return ["It does not exist, or it was deleted."];
  if (code === "UNAUTHORIZED") return ["Your session has ended.", "Sign in in another tab, then try again."];
  const fields =
    code === "VALIDATION_ERROR" &&
    Object.entries(details)
      .map(([field, problem]) => withField(field, String(problem)))
      .join("; ");
  return [sentence(fields || message), advice[code]];
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
  const code = error instanceof ApiError && error.code;
  // Trying again would not help: what is not there, and an address that asks for what there cannot be.
  const isWrong = code === "VALIDATION_ERROR" && location.search;
  const link = isWrong ? { label: "Clear the filters", path: location.pathname } : code === "NOT_FOUND" && list;
  const isOut = code === "UNAUTHORIZED";
  const { why, todo, reference } = explainFailure(error);
  return (
    <div role="alert" className={styles.notice}>
      <IconAlertCircle size={24} stroke={1.6} aria-hidden="true" className={styles.failed} />
      <h2 className={styles.heading}>{title}</h2>
      <p className={styles.text}>
        {why} {isOut || todo}
      </p>
      {link ? (
        <LinkButton href={link.path}>{link.label}</LinkButton>
      ) : (
        // A reload leads to sign-in, and from there back to this page.
        <Button variant="default" onClick={isOut ? () => location.reload() : onRetry}>
          {isOut ? "Sign in" : "Try again"}
        </Button>
      )}
      {reference && <p className={styles.reference}>Request {reference}</p>}
    </div>
  );
}
