import {
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconClockX,
  IconLoader2,
} from "@tabler/icons-react";
import type { executionStatuses, nodeStatuses } from "#lib/contract/executions/executions.ts";
import styles from "./run-status.module.css";

type RunStatusName = (typeof executionStatuses)[number] | (typeof nodeStatuses)[number];

/** How each status of a run or of a node is said and drawn; its colours are the tokens `--status-<name>`. */
export const runStatuses = {
  pending: { label: "Pending", icon: IconClock },
  running: { label: "Running", icon: IconLoader2 },
  completed: { label: "Completed", icon: IconCircleCheck },
  failed: { label: "Failed", icon: IconCircleX },
  cancelled: { label: "Cancelled", icon: IconBan },
  timeout: { label: "Timed out", icon: IconClockX },
  skipped: { label: "Skipped", icon: IconCircleDashed },
} as const satisfies Record<RunStatusName, unknown>;

export function isLive(status: RunStatusName): boolean {
  return status === "pending" || status === "running";
}

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
