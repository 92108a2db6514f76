import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import styles from "./run-notes.module.css";

interface RunNoteProps {
  readonly tone: "failed" | "timeout" | "cancelled" | "running";
  readonly icon: Icon;
  readonly title: string;
  readonly role?: "alert";
  readonly link?: { readonly label: string; readonly onFollow: () => void };
  readonly children: ReactNode;
}

/** One of the notes above a run's picture. */
export function RunNote({ tone, icon: Icon, title, role, link, children }: RunNoteProps) {
  return (
    <div role={role} className={styles.note} data-tone={tone}>
      <Icon size={18} aria-hidden="true" className={styles.icon} />
      <div className={styles.words}>
        <strong className={styles.title}>{title}</strong>
        {children}
      </div>
      {link && (
        <button type="button" className={styles.link} onClick={link.onFollow}>
          {link.label}
        </button>
      )}
    </div>
  );
}
