import styles from "./run-status.module.css";
import { type RunStatusName, runStatuses } from "./run-statuses.ts";

interface RunStatusProps {
  readonly status: RunStatusName;
  /** On a tinted ground, for headers. */
  readonly filled?: boolean;
}

/** A status with its icon and its word. */
export function RunStatus({ status, filled = false }: RunStatusProps) {
  const { label, icon: Icon } = runStatuses[status];
  return (
    <span className={styles.status} data-status={status} data-filled={filled || undefined}>
      <Icon size={16} stroke={2} aria-hidden="true" className={styles.icon} />
      {label}
    </span>
  );
}
