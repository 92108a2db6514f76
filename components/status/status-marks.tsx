import { type Icon, IconBellOff } from "@tabler/icons-react";
import type { FlowStatus } from "#lib/engine/flow.ts";
import styles from "./status-marks.module.css";
import toneMarkStyles from "./tone-mark.module.css";

const labels: Record<FlowStatus, string> = { draft: "Draft", inactive: "Off", active: "Live" };

/** The same within a sentence: "Order intake is live now". */
export const flowStatusWords: Record<FlowStatus, string> = { draft: "a draft", inactive: "off", active: "live" };

/** Whether a flow is live: a filled mark while it is, an open one for a draft, a crossed one while it is off. */
export function FlowStatusBadge({ status }: { readonly status: FlowStatus }) {
  return (
    <span className={styles.badge} data-status={status}>
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        <circle cx="4" cy="4" r="3" strokeWidth="1.5" stroke="currentColor" className={styles.mark} />
        {status === "inactive" && <path d="M1.5 6.5l5-5" stroke="currentColor" strokeWidth="1.5" />}
      </svg>
      {labels[status]}
    </span>
  );
}

interface ActiveMarkProps {
  readonly active: boolean;
  /** What it is called while it is at work: "Watching". */
  readonly words: string;
  readonly icon: Icon;
}

/** Whether something is at work, or switched off. */
export function ActiveMark({ active, words, icon }: ActiveMarkProps) {
  const Shown = active ? icon : IconBellOff;
  return (
    <span className={toneMarkStyles.mark} data-tone={active ? "good" : "quiet"}>
      <Shown size={16} stroke={1.8} aria-hidden="true" />
      {active ? words : "Disabled"}
    </span>
  );
}
