import { IconAlertTriangleFilled, IconPinFilled } from "@tabler/icons-react";
import styles from "./editor-card.module.css";

/** "1 problem", "2 problems". */
export function countOfProblems(count: number): string {
  return count === 1 ? "1 problem" : `${count} problems`;
}

interface CardMarksProps {
  readonly problems: number;
  readonly pinned: boolean;
}

/** What a card should be looked at for. */
export function CardMarks({ problems, pinned }: CardMarksProps) {
  if (problems === 0 && !pinned) return null;
  const words = countOfProblems(problems);
  return (
    <span className={styles.marks}>
      {pinned && (
        <span className={styles.pin} title="The output is pinned">
          <IconPinFilled size={12} aria-hidden="true" />
          <span className={styles.hidden}>The output is pinned</span>
        </span>
      )}
      {problems > 0 && (
        <span className={styles.problem} title={words}>
          <IconAlertTriangleFilled size={12} aria-hidden="true" />
          <span className={styles.hidden}>{words}</span>
        </span>
      )}
    </span>
  );
}
