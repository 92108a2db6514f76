"use client";

import { Button } from "@mantine/core";
import { IconAlertCircle, IconRefresh } from "@tabler/icons-react";
import { explainFailure } from "./explain-failure.ts";
import styles from "./notice.module.css";

interface FailureNoticeProps {
  /** What was being done: "The flows could not be loaded". */
  readonly what: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

/** The error state of a page or a panel: what happened, why, what to do. */
export function FailureNotice({ what, error, onRetry }: FailureNoticeProps) {
  const { why, todo, reference } = explainFailure(error);
  return (
    <div role="alert" className={styles.notice}>
      <IconAlertCircle size={24} stroke={1.6} aria-hidden="true" className={styles.failed} />
      <h2 className={styles.heading}>{what}</h2>
      <p className={styles.text}>
        {why} {todo}
      </p>
      <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden="true" />} onClick={onRetry}>
        Try again
      </Button>
      {reference && <p className={styles.reference}>Request {reference}</p>}
    </div>
  );
}
