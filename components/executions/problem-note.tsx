import { IconCircleX } from "@tabler/icons-react";
import type { Problem } from "./run-changes.ts";
import styles from "./run-notes.module.css";

/** Says that something was not done to the run, and why. */
export function ProblemNote({ problem }: { readonly problem: Problem }) {
  return (
    <div role="alert" className={styles.note}>
      <IconCircleX size={18} aria-hidden="true" className={styles.icon} />
      <div className={styles.words}>
        <strong className={styles.title}>{problem.what}</strong>
        <p>{problem.text}</p>
      </div>
    </div>
  );
}
