import {
  type Icon,
  IconBan,
  IconBellOff,
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
import type { FlowStatus } from "#lib/engine/flow.ts";
import styles from "./run-status.module.css";
import badgeStyles from "./status-marks.module.css";
import markStyles from "./tone-mark.module.css";

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

/** The label of a run or node that waits for someone, in place of "Running". */
const waitingLabels: Readonly<Record<WaitingFor, string>> = {
  approval: "Waiting for approval",
  call: "Waiting for a call",
};

/** A status's label and icon; for a running one, what it waits for from outside. */
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
  /** With a tinted background, for headers. */
  readonly filled?: boolean;
}

/** A status with its icon and label. */
export function RunStatus({ status, waitingFor, filled = false }: RunStatusProps) {
  const { label, icon: Icon } = statusFace(status, waitingFor);
  return (
    <span className={styles.status} data-status={status} data-filled={filled || undefined}>
      <Icon size={16} stroke={2} aria-hidden="true" className={waitingFor === undefined ? styles.icon : undefined} />
      {label}
    </span>
  );
}

const labels: Record<FlowStatus, string> = { draft: "Draft", inactive: "Off", active: "Live" };

/** The same within a sentence: "Order intake is live now". */
export const flowStatusWords: Record<FlowStatus, string> = { draft: "a draft", inactive: "off", active: "live" };

/** Whether a flow is live: a filled mark while it is, an open one for a draft, a crossed one while it is off. */
export function FlowStatusBadge({ status }: { readonly status: FlowStatus }) {
  return (
    <span className={badgeStyles.badge} data-status={status}>
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        <circle cx="4" cy="4" r="3" strokeWidth="1.5" stroke="currentColor" className={badgeStyles.mark} />
        {status === "inactive" && <path d="M1.5 6.5l5-5" stroke="currentColor" strokeWidth="1.5" />}
      </svg>
      {labels[status]}
    </span>
  );
}

interface ActiveMarkProps {
  readonly active: boolean;
  /** Its label while active: "Watching". */
  readonly words: string;
  readonly icon: Icon;
}

/** Whether something is active or switched off. */
export function ActiveMark({ active, words, icon }: ActiveMarkProps) {
  const Shown = active ? icon : IconBellOff;
  return (
    <span className={markStyles.mark} data-tone={active ? "good" : "quiet"}>
      <Shown size={16} stroke={1.8} aria-hidden="true" />
      {active ? words : "Disabled"}
    </span>
  );
}
