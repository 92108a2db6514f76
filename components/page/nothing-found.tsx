"use client";

import { Button } from "@mantine/core";
import { IconFilterOff } from "@tabler/icons-react";
import styles from "./notice.module.css";

/** A list that its filters have emptied. */
export function NothingFound({ what, onClear }: { readonly what: string; readonly onClear: () => void }) {
  return (
    <div className={styles.notice}>
      <IconFilterOff size={24} stroke={1.6} aria-hidden="true" className={styles.quiet} />
      <p className={styles.text}>{what}</p>
      <Button variant="default" onClick={onClear}>
        Clear the filters
      </Button>
    </div>
  );
}
