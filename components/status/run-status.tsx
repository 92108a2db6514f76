import {
  type Icon,
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
import { WaitingUntil } from "#components/time/relative-time.tsx";
import type { executionStatuses, nodeStatuses, WaitingFor } from "#lib/contract/executions/statuses.ts";
import styles from "./run-status.module.css";

type RunStatusName = (typeof executionStatuses)[number] | (typeof nodeStatuses)[number] | "unknown";

/** The label and icon of each status of a run or node; its colours are the tokens `--status-<name>`. */
export const runStatuses = {
  pending: { label: "Pending", icon: IconClock },
  running: { label: "Running", icon: IconLoader2 },
  completed: { label: "Completed", icon: IconCircleCheck },
  failed: { label: "Failed", icon: IconCircleX },
  cancelled: { label: "Cancelled", icon: IconBan },
  timeout: { label: "Timed out", icon: IconClockX },
  skipped: { label: "Skipped", icon: IconCircleDashed },
  /** In a comparison: its outcome is unknown. */
  unknown: { label: "Unknown", icon: IconHelpCircle },
} as const satisfies Record<RunStatusName, unknown>;

/** The label and icon of a run or node that waits, in place of "Running". */
const waits = {
  approval: { label: "Waiting for approval", icon: IconHandClick },
  call: { label: "Waiting for a call", icon: IconHandClick },
  event: { label: "Waiting for an event", icon: IconClock },
  time: { label: "Waiting", icon: IconClock },
} as const satisfies Record<WaitingFor, unknown>;
const disabledFace = { label: "Disabled", icon: IconCircleDashed, tone: "skipped" } as const;

interface StatusFace {
  readonly label: string;
  readonly icon: Icon;
  /** The status whose colours it has, if not its own. */
  readonly tone?: RunStatusName;
}

/** A status, with what changes its face. */
export interface FacedStatus {
  readonly status: RunStatusName;
  readonly waitingFor?: WaitingFor | undefined;
  /** When the wait ends; told only of one for a time. */
  readonly waitingUntil?: string | undefined;
  /** The node was disabled in the version that ran. */
  readonly disabled?: boolean | undefined;
}

/** A status's label and icon; for a running one, what it waits for, and for a disabled node that ran, that it was. */
export function statusFace({ status, waitingFor, disabled }: FacedStatus): StatusFace {
  if (disabled && status === "completed") return disabledFace;
  return waitingFor !== undefined && status === "running" ? waits[waitingFor] : runStatuses[status];
}

/** A status's label, with the time until which it waits. */
export function StatusLabel({ of }: { readonly of: FacedStatus }) {
  const face = statusFace(of);
  return (
    <span>
      {face.label}
      {face === waits.time && of.waitingUntil !== undefined && <WaitingUntil at={of.waitingUntil} />}
    </span>
  );
}

/** What became of a run's retry: "Retried, completed". */
export function retryWords(retry: FacedStatus): string {
  return `Retried, ${statusFace(retry).label.toLowerCase()}`;
}

export function isLive(status: RunStatusName): boolean {
  return status === "pending" || status === "running";
}

interface RunStatusProps extends FacedStatus {
  /** With a tinted background, for headers. */
  readonly filled?: boolean;
}

/** A status with its icon and label. */
export function RunStatus({ filled = false, ...of }: RunStatusProps) {
  const face = statusFace(of);
  return (
    <span className={styles.status} data-status={face.tone ?? of.status} data-filled={filled || undefined}>
      <face.icon
        size={16}
        stroke={2}
        aria-hidden="true"
        className={face === runStatuses.running ? styles.icon : undefined}
      />
      <StatusLabel of={of} />
    </span>
  );
}
