"use client";

import { Button } from "@mantine/core";
import { IconAlertCircle, IconRefresh } from "@tabler/icons-react";
import { ApiError } from "#lib/contract/client.ts";
import { explainFailure } from "./explain-failure.ts";
import { LinkButton } from "./link-button.tsx";
import styles from "./notice.module.css";

interface FailureNoticeProps {
  /** What was being done: "The flows could not be loaded". */
  readonly what: string;
  readonly error: Error | null;
  readonly onRetry: () => void;
  /** Where to go when it does not exist. */
  readonly list?: { readonly label: string; readonly path: string };
}

/** The error state of a page or a panel: what happened, why, what to do. */
export function FailureNotice({ what, error, onRetry, list }: FailureNoticeProps) {
  const gone = error instanceof ApiError && error.code === "NOT_FOUND";
  const { why, todo, reference } = explainFailure(error);
  return (
    <div role="alert" className={styles.notice}>
      <IconAlertCircle size={24} stroke={1.6} aria-hidden="true" className={styles.failed} />
      <h2 className={styles.heading}>{what}</h2>
      <p className={styles.text}>
        {why} {todo}
      </p>
      {gone && list !== undefined ? (
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
