import {
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconClockX,
  IconHandClick,
  IconHelpCircle,
  IconLoader2,
} from "@tabler/icons-react";
import type { executionStatuses, nodeStatuses, WaitingFor } from "#lib/contract/executions/executions.ts";
import styles from "./run-status.module.css";

type RunStatusName = (typeof executionStatuses)[number] | (typeof nodeStatuses)[number] | "unknown";

/** How each status of a run or of a node is said and drawn; its colours are the tokens `--status-<name>`. */
export const runStatuses = {
  pending: { label: "Pending", icon: IconClock },
  running: { label: "Running", icon: IconLoader2 },
  completed: { label: "Completed", icon: IconCircleCheck },
  failed: { label: "Failed", icon: IconCircleX },
  cancelled: { label: "Cancelled", icon: IconBan },
  timeout: { label: "Timed out", icon: IconClockX },
  skipped: { label: "Skipped", icon: IconCircleDashed },
  /** In a comparison: nobody knows what it would have done. */
  unknown: { label: "Unknown", icon: IconHelpCircle },
} as const satisfies Record<RunStatusName, unknown>;

/** How it is said that a run or a node waits for somebody: in place of "Running". */
const waitingLabels: Readonly<Record<WaitingFor, string>> = {
  approval: "Waiting for approval",
  call: "Waiting for a call",
};

/** The word and the icon of a status; of something that runs, what it waits for from outside. */
export function statusFace(status: RunStatusName, waitingFor: WaitingFor | undefined) {
  if (waitingFor === undefined || status !== "running") return runStatuses[status];
  return { label: waitingLabels[waitingFor], icon: IconHandClick };
}

export function isLive(status: RunStatusName): boolean {
  return status === "pending" || status === "running";
}

interface RunStatusProps {
  readonly status: RunStatusName;
  readonly waitingFor?: WaitingFor | undefined;
  /** On a tinted ground, for headers. */
  readonly filled?: boolean;
}

/** A status with its icon and its word. */
export function RunStatus({ status, waitingFor, filled = false }: RunStatusProps) {
  const { label, icon: Icon } = statusFace(status, waitingFor);
  return (
    <span className={styles.status} data-status={status} data-filled={filled || undefined}>
      <Icon size={16} stroke={2} aria-hidden="true" className={waitingFor === undefined ? styles.icon : undefined} />
      {label}
    </span>
  );
}
