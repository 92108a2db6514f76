import type { ReactNode } from "react";
import styles from "./settings-section.module.css";

interface SettingsRowProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

/** One thing that can be set: what it is about, and beside it what to do. */
export function SettingsRow({ title, text, children }: SettingsRowProps) {
  return (
    <section className={styles.row}>
      <div>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.text}>{text}</p>
      </div>
      <div className={styles.controls}>{children}</div>
    </section>
  );
}
