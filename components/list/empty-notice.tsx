import type { ReactNode } from "react";
import styles from "#components/page/notice.module.css";

interface EmptyNoticeProps {
  /** What such an item is, in a sentence. */
  readonly title: string;
  readonly text: string;
  /** The one thing to do next. */
  readonly children?: ReactNode;
}

/** An empty list: what it would hold, and how to start. */
export function EmptyNotice({ title, text, children }: EmptyNoticeProps) {
  return (
    <div className={`${styles.notice} ${styles.empty}`}>
      <h2 className={styles.heading}>{title}</h2>
      <p className={styles.text}>{text}</p>
      {children}
    </div>
  );
}
