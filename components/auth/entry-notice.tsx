import type { ReactNode } from "react";
import styles from "./entry-form.module.css";

interface EntryNoticeProps {
  readonly title: string;
  readonly text: string;
  /** Where to go from here. */
  readonly children?: ReactNode;
}

/** A page before one is signed in that has nothing to fill in. */
export function EntryNotice({ title, text, children }: EntryNoticeProps) {
  return (
    <div className={styles.form}>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      {children}
    </div>
  );
}
